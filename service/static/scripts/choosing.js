/** What a piece is, said feature by feature. */

import { openDialog } from "./dialog.js";
import { element, newId, refill, styles } from "./dom.js";
import { featuresFor, featuresOf, nameOf, valuesOf } from "./features.js";
import { texts } from "./i18n.js";
import { drawPiece } from "./pieces.js";
import { CHOOSING } from "./texts/choosing.js";

const say = texts(CHOOSING);

/** @typedef {import("./features.js").Kind} Kind */
/** @typedef {import("./features.js").Deck} Deck */
/** @typedef {import("./features.js").Feature} Feature */
/** @typedef {import("./features.js").Features} Features */

/** @type {Features} */
const USUAL = { number: "1", colour: "red", shading: "solid", shape: "oval" };

/**
 * Return the choice of a piece: a row for each feature, each value drawn as the piece that differs in it alone.
 * @param {{kind: Kind, deck?: Deck, name?: string, onchange?: (name: string) => void}} how `name` is chosen to begin with
 * @returns {{element: HTMLFieldSetElement, name: () => string}} `name` tells what is chosen
 */
export function featureChoice({ kind, deck = "us", name, onchange }) {
  const chosen = { ...USUAL, ...name && featuresOf(name) };
  const current = () => nameOf(chosen, kind);
  const draw = () => {
    for (const { sample, feature, value } of samples) refill(sample, drawPiece(nameOf({ ...chosen, [feature]: value }, kind), { kind, deck }));
  };
  const samples = featuresFor(kind).flatMap((feature) => valuesOf(feature, deck).map((value) => (
    { feature, value, sample: element("span", { class: "sample", "data-value": `${feature}-${value}` }) })));
  const choose = (/** @type {Feature} */ feature, /** @type {string} */ value) => {
    chosen[feature] = value;
    draw();
    onchange?.(current());
  };
  const rows = featuresFor(kind).map((feature) => {
    const group = newId(feature);
    const values = samples.filter((one) => one.feature === feature).map(({ sample, value }) => element("label", { class: "value" },
      element("input", { type: "radio", name: group, value, checked: value === chosen[feature], onchange: () => choose(feature, value) }),
      sample, element("span", {}, wordOf(feature, value))));
    return element("fieldset", {}, element("legend", {}, say(feature)), element("div", { class: "values" }, values));
  });
  draw();
  return { element: element("fieldset", { class: "feature-choice" }, rows), name: current };
}

/** Return what people call a value of a feature. @param {Feature} feature @param {string} value */
export function wordOf(feature, value) {
  return feature === "number" ? value : say(/** @type {"red"} */ (value));
}

/** Return what people call a feature. @param {Feature} feature */
export function featureWord(feature) {
  return say(feature);
}

/**
 * Ask in a dialog what a piece is.
 * @param {object} asked
 * @param {string} asked.name what it was read as
 * @param {string} [asked.label] that in words
 * @param {Kind} asked.kind
 * @param {Deck} [asked.deck]
 * @returns {Promise<string | null>} the name that was chosen, null if people would rather not say
 */
export async function chooseName({ name, label, kind, deck = "us" }) {
  await styles("choosing");
  const wild = element("input", { type: "checkbox", checked: name === "wild", onchange: () => draw() });
  const result = () => (wild.checked ? "wild" : choice.name());
  const choice = featureChoice({ kind, deck, name, onchange: () => draw() });
  const preview = element("div", { class: "preview" });
  const draw = () => {
    refill(preview, drawPiece(result(), { kind, deck }));
    choice.element.disabled = wild.checked;
  };
  draw();
  const dialog = openDialog(say("title"), [
    element("div", { class: "asked" }, preview, label && element("p", { class: "soft" }, say("read", { label }))),
    kind === "die" && element("label", { class: "row" }, wild, say("wild")),
    choice.element,
  ], { className: "choosing", answers: [{ value: "yes", text: say("confirm") }, { value: "", text: say("cancel"), kind: "plain" }] });
  /** @type {HTMLInputElement | null} */ (dialog.querySelector("input:checked"))?.focus();
  return await dialog.answered === "yes" ? result() : null;
}
