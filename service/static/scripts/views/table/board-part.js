/** What a table shows of its own game: the board of Cubed, both faces of SET Junior. */

import { element } from "../../dom.js";

/** @typedef {import("./living.js").TableSession} TableSession */

/** Whether a game is played on a board that is drawn here. @param {TableSession} table */
export function hasBoard({ state: { game } }) {
  return game === "cubed" || game === "junior-1";
}

/**
 * Return what the game of a table has besides; null where it has nothing.
 * @param {TableSession} table
 * @returns {Promise<import("./living.js").Part | null>}
 */
export async function boardPart(table) {
  const { game } = table.state;
  if (!hasBoard(table) && game !== "junior-2") return null;
  const { show } = await (game === "cubed" ? import("./cubed.js") : import("./junior.js"));
  const holder = element("section", { class: "board-part" });
  return Object.assign(holder, { stop: await show(holder, table) });
}
