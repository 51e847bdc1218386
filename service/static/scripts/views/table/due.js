/** What people have to do now. */

import { announce, element, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { HOST } from "../../texts/host.js";
import { kindOf, living } from "./living.js";
import { tell } from "./part.js";

const say = texts(HOST);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {TableSession["state"]["legal"]["due"][number]} Due */

/**
 * Return what is due, hidden where nothing is. What is new is read out.
 * @param {TableSession} table
 * @returns {import("./living.js").Part}
 */
export function dueList(table) {
  const section = element("section", { class: "due", "aria-label": say("due") });
  let before = "";
  const draw = () => {
    const { legal, outcome, players } = table.state;
    const due = outcome?.over ? [] : legal.due;
    const now = JSON.stringify([due, table.state.caller]);
    if (now === before) return;
    before = now;
    section.hidden = due.length === 0;
    const words = due.map((one) => textOf(table, one));
    refill(section, due.map((one, place) => element("div", { class: "row" }, element("p", { class: one.optional ? "optional" : "" }, words[place]),
      one.task === "shuffle" && shuffled(table, players.map(({ name }) => name)))));
    if (due.some(({ optional }) => !optional)) announce(words.join(" "));
  };
  return living(table, section, draw);
}

/** @param {TableSession} table @param {Due} due */
function textOf(table, { task, count, player, optional }) {
  const kind = kindOf(table) === "tile" ? "tiles" : "cards";
  if (task === "deal") return say(optional ? `may_deal_${kind}` : `deal_${kind}`, { count });
  if (task === "shuffle") return say("shuffle");
  if (task === "roll" || task === "reroll") return say(player === null ? "allRoll" : task, { player: player ?? "", count });
  return task;
}

/** The next round; in a tournament with its SET-Master. @param {TableSession} table @param {string[]} players */
function shuffled(table, players) {
  const isTournament = table.state.game === "ravensburger";
  const master = isTournament ? element("select", { "aria-label": say("master") }, players.map((name) => element("option", {}, name))) : null;
  const shuffle = () => tell(table, { type: "shuffled", ...(master ? { master: master.value } : {}) });
  return [master && element("label", { class: "row" }, say("master"), master),
    element("button", { type: "button", onclick: () => void shuffle() }, say("shuffled"))];
}
