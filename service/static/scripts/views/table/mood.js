/** What the big button of a player is good for at this moment. */

/** @typedef {import("../../table/session.js").State} State */
/** @typedef {import("../../table/session.js").Entry} Entry */
/** @typedef {"ready" | "mine" | "theirs" | "tied" | "out" | "master" | "wait" | "over" | "away" | "ended" | "turn"} Mood */
/** @typedef {{state: State, entries: Entry[], player: string | null, status: import("../../socket.js").Status}} Standing what a mood follows from */

/** Games in which people call for what they see. */
const CALLED = new Set(["classic", "ravensburger", "junior-2"]);

/** Whether a player has a big button in this game: in Cubed only where a camera looks on. @param {State} state */
export function hasButton(state) {
  if (state.game === "cubed") return state.camera.connected;
  return CALLED.has(state.game) || state.game === "setup";
}

/** Whether cards are picked by tapping them, for no camera sees who takes them. @param {State} state */
export function picksByHand(state) {
  return !state.camera.connected && CALLED.has(state.game);
}

/**
 * Whether a press counts. Where a camera looks on, the next call may come before the referee has seen the last pick.
 * @param {State} state
 * @param {Mood} mood
 */
export function mayPress(state, mood) {
  return mood === "ready" || (mood === "theirs" && state.camera.connected);
}

/** @param {Standing} standing @returns {Mood} */
export function moodOf({ state, entries, player, status }) {
  if (status === "ended") return "ended";
  if (status !== "open") return "away";
  if (state.game === "setup") return setupMood(state, entries, player);
  if (state.outcome?.over) return "over";
  if (state.tie) return "tied";
  if (state.caller !== null) return state.caller === player ? "mine" : "theirs";
  if (state.game === "cubed") return "ready";
  if (state.players.some(({ name, out }) => name === player && out)) return state.master === player ? "master" : "out";
  if (!state.legal.moves.includes("called")) return "wait";
  return state.turn === null || state.turn === player ? "ready" : "turn";
}

/**
 * The last card may be claimed even after the end, by all but the one who laid it.
 * @param {State} state
 * @param {Entry[]} entries
 * @param {string | null} player
 * @returns {Mood}
 */
function setupMood(state, entries, player) {
  const last = lastLaid(entries);
  if (state.legal.moves.includes("claimed") && last?.player !== player) return "ready";
  return state.outcome?.over ? "over" : "wait";
}

/** Return the entry of the card that was laid last, if it still lies there. @param {Entry[]} entries @returns {Entry | undefined} */
export function lastLaid(entries) {
  /** @type {Entry[]} */
  const laid = [];
  for (const entry of entries) {
    if (entry.ok && entry.type === "laid") laid.push(entry);
    if (entry.ok && entry.type === "undone") laid.pop();
  }
  return laid[laid.length - 1];
}

/**
 * Return when the open call began, by the table's clock: of a call that was tied, when that was decided.
 * @param {Entry[]} entries
 * @param {number} heard when this device heard of it
 */
export function callBegan(entries, heard) {
  const counted = entries.filter(({ ok, type }) => ok && type !== "asked");
  const last = counted[counted.length - 1];
  const before = counted[counted.length - 2];
  return last?.type === "called" && before?.type !== "tied" ? last.t : heard;
}
