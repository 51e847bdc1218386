/** Who has how much, whose turn it is, who has called, who is out, who is away. */

import { element, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { living } from "./living.js";

const say = texts(PLAY);
const MARKS = { hasCalled: "active", hasTurn: "active", isOut: "out", isMaster: "soft", hasAgreed: "active", notConnected: "soft" };

/** @typedef {import("../../table/session.js").State} State */
/** @typedef {import("../../table/session.js").Player} Player */

/** Return the key of the text that counts what the game is about. @param {State} state @returns {"points" | "cards" | "tokens"} */
export function unitOf(state) {
  if (state.game === "setup") return "cards";
  return state.game === "junior-1" ? "tokens" : "points";
}

/**
 * Return the place of each player, from 1; those who have as much share one. In SETUP the fewest cards are best.
 * @param {State} state
 * @returns {Map<string, number>}
 */
export function places(state) {
  const sign = state.game === "setup" ? -1 : 1;
  return new Map(state.players.map(({ name, score }) => [
    name, 1 + state.players.filter((other) => sign * other.score > sign * score).length,
  ]));
}

/**
 * Return the scores of a table, in the order in which people sit.
 * @param {import("./living.js").TableSession} table
 * @returns {import("./living.js").Part}
 */
export function scoreboard(table) {
  const board = element("ol", { class: "scores", "aria-label": say("scores") });
  board.classList.toggle("many", table.state.players.length > 3);
  /** @type {Map<string, number>} */
  let before = new Map();
  const draw = () => {
    const ranks = places(table.state);
    refill(board, table.state.players.map((player) => row(table, player, ranks.get(player.name) ?? 1, before)));
    before = new Map(table.state.players.map(({ name, score }) => [name, score]));
  };
  return living(table, board, draw);
}

/** @param {import("./living.js").TableSession} table @param {Player} player @param {number} rank @param {Map<string, number>} before */
function row(table, player, rank, before) {
  const { state } = table;
  const last = before.get(player.name);
  const change = last === undefined || last === player.score ? "" : last < player.score ? " rises" : " falls";
  const marks = marksOf(state, player);
  const leads = rank === 1 && state.players.some(({ score }) => score !== player.score);
  return element(
    "li",
    { class: `score${leads ? " leads" : ""}${change}${state.caller === player.name ? " calls" : ""}` },
    element("span", { class: "rank" }, element("span", { class: "unseen" }, say("rank", { rank })), element("span", { "aria-hidden": "true" }, rank)),
    element("span", { class: "who" },
      element("span", { class: "name" }, player.name, player.name === table.player && element("span", { class: "soft" }, ` (${say("you")})`)),
      element("span", { class: "marks" }, marks.map((mark) => element("span", { class: `mark ${MARKS[mark]}` }, say(mark))))),
    element("span", { class: "amount number" }, element("span", { "aria-hidden": "true" }, signed(player.score)),
      element("span", { class: "unseen" }, say(unitOf(state), { count: player.score }))),
  );
}

/** @param {State} state @param {Player} player */
function marksOf(state, player) {
  /** @type {(keyof typeof MARKS)[]} */
  const marks = [];
  if (state.caller === player.name) marks.push("hasCalled");
  if (state.turn === player.name && !state.outcome) marks.push("hasTurn");
  if (state.master === player.name) marks.push("isMaster");
  else if (player.out) marks.push("isOut");
  if (player.agreed && !state.outcome) marks.push("hasAgreed");
  if (!player.connected) marks.push("notConnected");
  return marks;
}

/** Return a number with a real minus sign. @param {number} value */
export function signed(value) {
  return value < 0 ? `−${-value}` : String(value);
}
