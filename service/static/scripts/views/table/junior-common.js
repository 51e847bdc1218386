/** What both faces of SET Junior show. */

import { element, plainButton, svg } from "../../dom.js";
import { texts } from "../../i18n.js";
import { JUNIOR } from "../../texts/junior.js";

const say = texts(JUNIOR);
const MOST_DRAWN = 24;

/** @typedef {import("./part.js").State} State */
/** @typedef {import("./part.js").TableSession} TableSession */

/**
 * Return the players with a disc for each token or SET.
 * @param {State} state
 * @param {"tokens" | "sets"} what they win
 * @returns {HTMLElement}
 */
export function tokens(state, what) {
  return element("ul", { class: "tokens" }, state.players.map(({ name, score }) => element(
    "li", { class: name === state.turn ? "row now" : "row", "aria-current": name === state.turn ? "true" : null },
    element("strong", {}, name), discs(score), element("span", { class: "number" }, say(what, { count: score })),
  )));
}

/** @param {number} count */
function discs(count) {
  const shown = Math.max(0, Math.min(count, MOST_DRAWN));
  const disc = (/** @type {unknown} */ _, /** @type {number} */ index) => svg("circle", { cx: 10 + index * 14, cy: 10, r: 8, class: "token" });
  return shown > 0 && svg("svg", { viewBox: `0 0 ${14 * shown + 6} 20`, class: "discs", "aria-hidden": "true" },
    Array.from({ length: shown }, disc));
}

/** @param {TableSession} table */
export function whose(table) {
  const { outcome, turn } = table.state;
  if (outcome) return say("over");
  if (turn === null) return "";
  return turn === table.player ? say("yourTurn") : say("turnOf", { player: turn });
}

/** @param {() => void} byHand */
export function watched(byHand) {
  return element("div", {}, element("p", {}, say("watched")),
    plainButton(say("byHand"), byHand, { "data-key": "by-hand" }));
}
