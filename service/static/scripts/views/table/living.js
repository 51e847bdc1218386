/** Parts of a view that keep themselves up to date, and what they share about the pieces of a game. */

import { lookOf } from "../../features.js";
import { drawPiece } from "../../pieces.js";

/** @typedef {import("../../table/session.js").TableSession} TableSession */
/** @typedef {import("../../table/session.js").Entry} Entry */
/** @typedef {import("../../table/session.js").News} News */
/** @typedef {HTMLElement & {stop: () => void}} Part an element that follows a table until it is stopped */

/**
 * Make a part of an element: `draw` is called now, and with each piece of news of these kinds.
 * @param {TableSession} table
 * @param {HTMLElement} made
 * @param {(entry?: Entry) => void} draw
 * @param {News[]} [kinds]
 * @returns {Part}
 */
export function living(table, made, draw, kinds = ["state"]) {
  const stop = table.onchange((news, entry) => { if (kinds.includes(news)) draw(entry); });
  draw();
  return Object.assign(made, { stop });
}

/**
 * Draw a piece as the game of the table has them.
 * @param {TableSession} table
 * @param {string} name
 * @param {{lying?: boolean, named?: boolean, as?: string | null}} [how] `named`: screen readers say what it is
 * @returns {SVGSVGElement}
 */
export function pieceOf(table, name, { lying = false, named = false, as = null } = {}) {
  return drawPiece(name, { ...lookOf(table.state.game), label: named ? table.label(name) : undefined, lying, as });
}

/** Return what the game is played with. @param {TableSession} table @returns {import("../../features.js").Kind} */
export function kindOf(table) {
  return lookOf(table.state.game).kind ?? "card";
}

/** Return the cards that a table is played with. @param {TableSession} table @returns {import("../../features.js").Deck} */
export function deckOf(table) {
  return lookOf(table.state.game).deck;
}

/** Have more ended with a part. @template {Part} Ended @param {Ended} part @param {...((() => void) | undefined)} stops @returns {Ended} */
export function endingWith(part, ...stops) {
  const end = part.stop;
  const stop = () => [end, ...stops].forEach((one) => one?.());
  return Object.assign(part, { stop });
}
