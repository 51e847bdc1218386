/** Choosing pieces by hand: the three of a SET among what lies there, or one card of the whole deck. */

import { element, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { pieceOf } from "./living.js";
import { lyingPieces } from "./lying.js";

const say = texts(PLAY);

/** @typedef {import("./living.js").TableSession} TableSession */

/**
 * Return the pieces that lie there, to tap three of them.
 * @param {TableSession} table
 * @param {{title: string, onchosen: (names: string[]) => unknown, none: {text: string, run: () => unknown}}} how
 * @returns {import("./living.js").Part}
 */
export function chooseThree(table, { title, onchosen, none }) {
  /** @type {Set<string>} */
  const chosen = new Set();
  const count = element("p", { class: "soft", role: "status" });
  const show = element("button", { type: "button", class: "wide", onclick: () => chosen.size === 3 && onchosen([...chosen]) }, say("show"));
  const follow = () => {
    count.textContent = say("chosen", { count: chosen.size });
    show.disabled = chosen.size !== 3;
  };
  const onpiece = (/** @type {import("./lying.js").LyingPiece} */ { name }) => {
    if (!chosen.delete(name) && chosen.size < 3) chosen.add(name);
    follow();
  };
  const lying = lyingPieces(table, { onpiece, chosen });
  follow();
  const part = element(
    "section", { class: "choose" }, element("h2", {}, title), lying, count,
    element("div", { class: "row" }, show, element("button", { type: "button", class: "plain", onclick: none.run }, none.text)),
  );
  return Object.assign(part, { stop: lying.stop });
}

const FEATURES = /** @type {const} */ ({
  number: ["1", "2", "3"],
  colour: ["red", "green", "purple"],
  shading: ["solid", "striped", "open"],
  shape: ["oval", "diamond", "squiggle"],
});

/**
 * Return a choice of one card by its features, each shown as a card that differs in it alone.
 * @param {TableSession} table
 * @param {{text: string, onchosen: (name: string) => unknown}} how
 * @returns {HTMLElement}
 */
export function chooseCard(table, { text, onchosen }) {
  const chosen = { number: "1", colour: "red", shading: "solid", shape: "oval" };
  const named = () => `${chosen.number} ${chosen.colour} ${chosen.shading} ${chosen.shape}`;
  const rows = element("div", { class: "features" });
  const lay = element("button", { type: "button", class: "wide" });
  lay.addEventListener("click", () => onchosen(named()));
  const draw = () => {
    const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.value : undefined;
    refill(rows, /** @type {(keyof typeof FEATURES)[]} */ (Object.keys(FEATURES)).map((feature) => element(
      "fieldset", {}, element("legend", {}, say(feature)),
      element("div", { class: "values" }, FEATURES[feature].map((value) => valueButton(table, chosen, feature, value, draw))),
    )));
    refill(lay, text, element("span", { class: "unseen" }, `: ${table.label(named())}`));
    if (focus) /** @type {HTMLElement | null} */ (rows.querySelector(`[data-value="${focus}"]`))?.focus();
  };
  draw();
  return element("div", { class: "choose-card" }, rows, lay);
}

/**
 * @param {TableSession} table
 * @param {Record<keyof typeof FEATURES, string>} chosen
 * @param {keyof typeof FEATURES} feature
 * @param {string} value
 * @param {() => void} draw
 */
function valueButton(table, chosen, feature, value, draw) {
  const would = { ...chosen, [feature]: value };
  const name = `${would.number} ${would.colour} ${would.shading} ${would.shape}`;
  const take = () => {
    chosen[feature] = value;
    draw();
  };
  return element(
    "button",
    {
      type: "button", class: "tap", "aria-pressed": String(chosen[feature] === value), "data-value": `${feature}-${value}`,
      "aria-label": table.label(name), onclick: take,
    },
    pieceOf(table, name, { lying: true }),
  );
}
