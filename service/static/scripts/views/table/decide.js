/** What the referee leaves to people: who was first, and what has happened at the table. */

import { announce, element, notice, plainButton, refill } from "../../dom.js";
import { list, texts } from "../../i18n.js";
import { HOST } from "../../texts/host.js";
import { living } from "./living.js";
import { signed } from "./scores.js";

const say = texts(HOST);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {NonNullable<TableSession["state"]["tie"]>} Tie */
/** @typedef {NonNullable<TableSession["state"]["oddity"]>} Oddity */

/**
 * Return the decisions that wait; nothing where there is none. A new one is read out.
 * @param {TableSession} table
 * @returns {import("./living.js").Part}
 */
export function decisions(table) {
  const place = element("div", { class: "decisions stack" });
  let before = "";
  const draw = () => {
    const { tie, oddity } = table.state;
    const now = JSON.stringify([tie, oddity]);
    if (now === before) return;
    before = now;
    place.hidden = !tie && !oddity;
    refill(place, tie && tieCard(table, tie), oddity && oddityCard(table, oddity));
    if (tie) announce(say("tie", { players: list(tie.players) }));
    if (oddity) announce(`${say("oddity")} ${oddity.text}`);
  };
  return living(table, place, draw);
}

/** @param {TableSession} table @param {object} decision */
function decide(table, decision) {
  table.change("/decisions", decision).catch((error) => notice(error.message));
}

/** @param {string} title @param {(Node | null | false)[]} parts */
function card(title, ...parts) {
  return element("section", { class: "panel decision", "aria-label": title }, element("h2", {}, title), parts);
}

/** @param {TableSession} table @param {Tie} tie */
function tieCard(table, { players, times }) {
  const first = Math.min(...Object.values(times));
  const choices = players.map((player) => element(
    "button", { type: "button", onclick: () => decide(table, { tie: player }) }, player,
    element("span", { class: "small" }, `+${Math.round(1000 * (times[player] - first))} ms`),
  ));
  return card(say("tie", { players: list(players) }), element("p", {}, say("tieHelp")), element("div", { class: "row" }, choices,
    plainButton(say("nobody"), () => decide(table, { tie: null }))));
}

/** @param {TableSession} table @param {Oddity} oddity */
function oddityCard(table, { number, text, choices }) {
  const accept = choices.map((choice, candidate) => element(
    "button", { type: "button", class: "plain choice", onclick: () => decide(table, { oddity: number, candidate }) },
    choice.text, " ", pointsOf(choice.points),
  ));
  return card(say("oddity"), element("p", {}, text),
    accept.length > 0 && element("div", { class: "stack tight", role: "group", "aria-label": say("oddityChoices") }, accept),
    plainButton(say("ignore"), () => decide(table, { oddity: number, ignore: true })));
}

/** @param {Record<string, number>} points */
function pointsOf(points) {
  const words = Object.entries(points).map(([player, count]) => `${player} ${count > 0 ? "+" : ""}${signed(count)}`);
  return words.length > 0 && element("strong", { class: "number" }, words.join(", "));
}
