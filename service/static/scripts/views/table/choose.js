/** Choosing pieces by hand: the three of a SET among what lies there, or one card of the whole deck. */

import { featureChoice } from "../../choosing.js";
import { element, plainButton, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { deckOf, kindOf } from "./living.js";
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
    element("div", { class: "row" }, show, plainButton(none.text, none.run)),
  );
  return Object.assign(part, { stop: lying.stop });
}

/**
 * Return a choice of one card by its features.
 * @param {TableSession} table
 * @param {{text: string, onchosen: (name: string) => unknown}} how
 * @returns {HTMLElement}
 */
export function chooseCard(table, { text, onchosen }) {
  const name = element("span", { class: "unseen" });
  const onchange = () => refill(name, `: ${table.label(choice.name())}`);
  const choice = featureChoice({ kind: kindOf(table), deck: deckOf(table), onchange });
  onchange();
  return element("div", { class: "stack" }, choice.element,
    element("button", { type: "button", class: "wide", onclick: () => onchosen(choice.name()) }, text, name));
}
