/** The table for a projector: seen from the other end of the room, with nothing to press. */

import { stayAwake } from "../../devices.js";
import { element, refill } from "../../dom.js";
import { tableTitle } from "../../games.js";
import { list, texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { boardPart, hasBoard } from "./board-part.js";
import { dueText } from "./call.js";
import { connectionLine } from "./connection.js";
import { kindOf, living } from "./living.js";
import { lyingPieces } from "./lying.js";
import { outcomeCard } from "./outcome.js";
import { callRing } from "./ring.js";
import { scoreboard } from "./scores.js";
import { menuButton, takeStage } from "./stage.js";
import { lastVerdict } from "./verdict.js";

const say = texts(PLAY);

/** @typedef {import("./living.js").TableSession} TableSession */

/**
 * Show the table to those who watch.
 * @param {HTMLElement} view
 * @param {TableSession} table
 * @returns {Promise<() => void>} what ends it
 */
export async function show(view, table) {
  const leave = takeStage("spectator");
  const middle = hasBoard(table) ? await boardPart(table) : lyingPieces(table);
  const ring = callRing(table);
  const parts = [connectionLine(table), banner(table, ring), outcomeCard(table), scoreboard(table), lastVerdict(table), pileLine(table)];
  const [connection, told, outcome, scores, verdict, pile] = parts;
  refill(view, element("div", { class: "watch", "data-game": table.state.game },
    element("div", { class: "top" }, element("h1", {}, tableTitle(table.state)), connection, pile,
      element("div", { class: "top-end" }, fullScreenButton(), menuButton())),
    told, element("div", { class: "table-side" }, middle), element("div", { class: "told-side" }, outcome, scores, verdict)));
  const sleep = stayAwake();
  return () => [leave, sleep, ring.stop, middle?.stop, ...parts.map(({ stop }) => stop)].forEach((stop) => stop?.());
}

/** How many cards are left. @param {TableSession} table */
function pileLine(table) {
  const line = element("p", { class: "pile soft" });
  return living(table, line, () => {
    line.hidden = kindOf(table) !== "card" || table.state.events === 0;
    line.textContent = say("left", { count: table.state.pile });
  });
}

/** Who has called, what people have to do. @param {TableSession} table @param {HTMLElement} ring */
function banner(table, ring) {
  const line = element("p", { class: "banner-text" });
  const shown = element("div", { class: "banner" }, ring, line);
  return living(table, shown, () => {
    const { state } = table;
    const [mood, text] = bannerOf(state);
    shown.dataset.mood = mood;
    line.textContent = text;
    shown.hidden = text === "";
  });
}

/** @param {import("../../table/session.js").State} state @returns {[string, string]} */
function bannerOf(state) {
  if (state.outcome?.over) return ["over", ""];
  if (state.tie) return ["tied", say("tiedNote", { players: list(state.tie.players) })];
  if (state.caller !== null) return ["theirs", say("theirs", { player: state.caller })];
  if (state.legal.due.some(({ optional }) => !optional)) return ["wait", dueText(state)];
  return state.turn === null ? ["ready", ""] : ["wait", say("turnOf", { player: state.turn })];
}

function fullScreenButton() {
  if (!document.fullscreenEnabled) return null;
  const change = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return element("button", { type: "button", class: "plain full-screen", onclick: () => void change() }, say("fullScreen"));
}
