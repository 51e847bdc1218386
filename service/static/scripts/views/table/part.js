/** What the parts of a table that show one game share. */

import { element, notice, refill } from "../../dom.js";
import { hasBoard } from "./board-part.js";

/** @typedef {import("../../table/session.js").TableSession} TableSession */
/** @typedef {import("../../table/session.js").Entry} Entry */
/** @typedef {import("../../table/session.js").State} State */

/**
 * Return the entries that count, oldest first: accepted or judged, corrections too, and not taken back.
 * @param {Entry[]} entries of the journal
 * @returns {Entry[]}
 */
export function counted(entries) {
  /** @type {Entry[]} */
  const kept = [];
  for (const entry of entries) {
    const counts = (entry.ok || entry.judged) && entry.type !== "asked" && entry.type !== "tied";
    if (entry.type === "undone") entry.ok && kept.pop();
    else if (counts) kept.push(entry);
  }
  return kept;
}

/**
 * Return the events that stand, oldest first, as corrections judge them now.
 * @param {Entry[]} entries of the journal
 * @returns {Entry[]}
 */
export function standing(entries) {
  const kept = counted(entries);
  const changed = new Map(kept.flatMap((entry) => entry.changes ?? []).map((change) => [change.event, change.after]));
  return kept.map((entry) => (changed.has(entry.event) ? { ...entry, ...changed.get(entry.event) } : entry))
    .filter((entry) => entry.kind === "event" && (entry.ok || entry.judged));
}

/** Return what an entry has brought a player. @param {Entry} entry @param {string | null} player */
export function pointsFor({ points = {} }, player) {
  // a player may be called as what every object has, such as "constructor"
  return Object.entries(points).find(([name]) => name === player)?.[1] ?? 0;
}

/**
 * Return the newest hint, if nothing has counted since.
 * @param {Entry[]} entries of the journal
 * @returns {Entry | undefined}
 */
export function newestHint(entries) {
  const newest = [...entries].reverse().find((entry) => entry.ok !== undefined && (entry.ok || entry.judged));
  return newest?.type === "asked" ? newest : undefined;
}

/**
 * Tell the service what people do; what it refuses is shown, and nothing is thrown.
 * @param {TableSession} table
 * @param {{type: string, [field: string]: unknown}} event
 * @returns {Promise<boolean>} whether it stands
 */
export async function tell(table, event) {
  try {
    const entries = await table.send(event);
    const refused = entries.find((entry) => entry.ok === false);
    // under a board the verdict is further down than a phone shows
    if (refused && !refused.judged && hasBoard(table)) notice(refused.text, { kind: "doubt" });
    return !refused;
  } catch (error) {
    notice(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/**
 * Draw a part of the page anew; what had the focus keeps it, by its `data-key`.
 * @param {HTMLElement} part
 * @param {import("../../dom.js").Child[]} children
 */
export function redraw(part, children) {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && part.contains(active) ? active.dataset.key : undefined;
  refill(part, children);
  if (key === undefined) return;
  const again = /** @type {HTMLElement | null} */ (part.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`));
  (again ?? /** @type {HTMLElement | null} */ (part.querySelector("button:not(:disabled)")))?.focus();
}

/**
 * Return a choice of the player for whom this device plays; a player's own device has none.
 * @param {TableSession} table
 * @param {string | null} chosen
 * @param {string} label
 * @param {(player: string) => void} onchoice
 */
export function seatChoice(table, chosen, label, onchoice) {
  if (table.role !== "host") return null;
  const options = table.state.players.map(({ name }) => element("option", { value: name, selected: name === chosen }, name));
  const change = (/** @type {Event} */ event) => onchoice(/** @type {HTMLSelectElement} */ (event.target).value);
  return element("label", { class: "plays-for row" }, element("span", {}, label),
    element("select", { onchange: change, "data-key": "seat" }, options));
}

/**
 * Return what holds the board of a game and what stands beside it; those who only watch see it from further away.
 * @param {TableSession} table
 * @param {(HTMLElement | null)[]} board
 * @param {(HTMLElement | null)[]} beside
 */
export function gamePart(table, board, beside) {
  const name = ["game", beside.length > 0 && "two", table.role === "spectator" && "watching"].filter(Boolean).join(" ");
  return element("div", { class: name }, element("div", {}, board), element("div", { class: "side" }, beside));
}
