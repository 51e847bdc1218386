/** A dialog in which people say what a piece is, feature by feature. */

import { element, fill, newId, refill, styles } from "./dom.js";
import { texts } from "./i18n.js";
import { drawPiece, featuresOf } from "./pieces.js";
import { CHOOSING } from "./texts/choosing.js";

const say = texts(CHOOSING);

/** @typedef {"card" | "tile" | "die"} Kind */
/** @typedef {"number" | "colour" | "shading" | "shape"} Feature */
/** @typedef {Record<Feature, string>} Chosen */

const COLOURS = ["red", "green", "purple"];
const SHADINGS = ["solid", "striped", "open"];

/** @param {Kind} kind @param {"us" | "ravensburger"} deck @returns {[Feature, string[]][]} */
function choices(kind, deck) {
  const bar = kind === "card" && deck === "ravensburger" ? "rectangle" : "diamond";
  /** @type {[Feature, string[]][]} */
  const all = [
    ["number", ["1", "2", "3"]], ["colour", COLOURS], ["shading", SHADINGS], ["shape", ["oval", bar, "squiggle"]],
  ];
  return all.filter(([feature]) => kind === "card" || feature !== "shading");
}

/** @param {Kind} kind @param {Chosen} chosen @returns {string} the name as the service has it */
function nameOf(kind, { number, colour, shading, shape }) {
  return (kind === "card" ? [number, colour, shading, shape] : [number, colour, shape]).join(" ");
}

/**
 * Ask what a piece is.
 * @param {object} asked
 * @param {string} asked.name what it was read as
 * @param {string} [asked.label] that in words
 * @param {Kind} asked.kind
 * @param {"us" | "ravensburger"} [asked.deck]
 * @returns {Promise<string | null>} the name that was chosen, null if people would rather not say
 */
export async function chooseName({ name, label, kind, deck = "us" }) {
  await styles("choosing");
  const known = featuresOf(name);
  /** @type {Chosen} */
  const chosen = {
    number: String(known?.number ?? 1),
    colour: known?.colour ?? "red",
    shading: known?.shading ?? "solid",
    shape: known?.shape ?? "oval",
  };
  let isWild = name === "wild";
  const preview = element("div", { class: "preview" });
  const rows = element("div", { class: "features" });
  const title = newId("title");
  const dialog = element("dialog", { class: "choosing", "aria-labelledby": title });

  const result = () => (isWild ? "wild" : nameOf(kind, chosen));
  const draw = () => {
    refill(preview, drawPiece(result(), { kind, deck }));
    for (const picture of rows.querySelectorAll("[data-feature]")) {
      const { feature, value } = /** @type {HTMLElement} */ (picture).dataset;
      const other = { ...chosen, [/** @type {Feature} */ (feature)]: /** @type {string} */ (value) };
      refill(picture, drawPiece(nameOf(kind, other), { kind, deck }));
    }
    rows.toggleAttribute("inert", isWild);
  };
  fill(rows, choices(kind, deck).map(([feature, values]) => row(feature, values, chosen[feature], (value) => {
    chosen[feature] = value;
    draw();
  })));
  fill(
    dialog,
    element("h2", { id: title }, say("title")),
    element("div", { class: "asked" }, preview, label && element("p", { class: "soft" }, say("read", { label }))),
    kind === "die" && wildChoice(isWild, (wild) => { isWild = wild; draw(); }),
    rows,
    element(
      "form", { method: "dialog", class: "row" },
      element("button", { value: "yes" }, say("confirm")),
      element("button", { value: "", class: "plain" }, say("cancel")),
    ),
  );
  draw();
  return shown(dialog).then((answer) => (answer === "yes" ? result() : null));
}

/**
 * @param {Feature} feature
 * @param {string[]} values
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
function row(feature, values, chosen, choose) {
  const name = newId(feature);
  return element("fieldset", {}, element("legend", {}, say(feature)), element("div", { class: "values" }, values.map((value) => element(
    "label", { class: "value" },
    element("input", { type: "radio", name, value, checked: value === chosen, autofocus: value === chosen && feature === "number", onchange: () => choose(value) }),
    element("span", { class: "sample", "data-feature": feature, "data-value": value }),
    element("span", {}, feature === "number" ? value : say(/** @type {"red"} */ (value))),
  ))));
}

/** @param {boolean} isWild @param {(wild: boolean) => void} choose */
function wildChoice(isWild, choose) {
  const change = (/** @type {Event} */ event) => choose(/** @type {HTMLInputElement} */ (event.target).checked);
  return element("label", { class: "row" }, element("input", { type: "checkbox", checked: isWild, onchange: change }), say("wild"));
}

/**
 * Show a dialog over the page, until it is closed.
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>} what it was closed with
 */
export function shown(dialog) {
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => {
    dialog.remove();
    done(dialog.returnValue);
  }));
}
