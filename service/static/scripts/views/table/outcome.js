/** How a game has ended. */

import { element, refill } from "../../dom.js";
import { list, texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { kindOf, living, pieceOf } from "./living.js";

const say = texts(PLAY);
/** What drifts by for the winner: pieces that make SETs. */
const CONFETTI = {
  card: ["1 red solid oval", "2 green striped diamond", "3 purple open squiggle"],
  other: ["1 red oval", "2 green diamond", "3 purple squiggle"],
};

/** Return who has won or lost, as a sentence; a player is spoken to. @param {import("./living.js").TableSession} table @returns {string} */
export function outcomeText({ state, player }) {
  const { winners = [], losers = [] } = state.outcome ?? {};
  const names = winners.length > 0 ? winners : losers;
  const [wins, one, many] = winners.length > 0
    ? /** @type {const} */ (["youWin", "wins", "win"]) : /** @type {const} */ (["youLose", "loses", "lose"]);
  if (names.length === 0) return say("nobody");
  if (names.length === 1 && names[0] === player) return say(wins);
  return say(names.length === 1 ? one : many, { players: list(names) });
}

/**
 * Return the end of the game, hidden until then.
 * @param {import("./living.js").TableSession} table
 * @returns {import("./living.js").Part}
 */
export function outcomeCard(table) {
  const card = element("section", { class: "outcome", hidden: true });
  const draw = () => {
    const isOver = table.state.outcome?.over === true;
    if (card.hidden === !isOver) return;
    card.hidden = !isOver;
    if (!isOver) return;
    // whoever has ended it may be far down the page
    if (card.isConnected && table.role === "host") requestAnimationFrame(() => card.scrollIntoView({ block: "center" }));
    const names = CONFETTI[kindOf(table) === "card" ? "card" : "other"];
    refill(card, element("div", { class: "drift", "aria-hidden": "true" }, [...names, ...names].map((name) => pieceOf(table, name))),
      element("p", { class: "outcome-title" }, outcomeText(table)), element("p", { class: "soft" }, say("over")),
      table.role === "host" && element("a", { class: "button", href: "/table" }, say("anotherGame")));
  };
  return living(table, card, draw);
}
