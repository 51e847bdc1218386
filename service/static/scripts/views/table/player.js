/** The phone in the hand of a player. */

import { element, plainButton, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { stayAwake } from "../../devices.js";
import { knownTable } from "../../memory.js";
import { PLAY } from "../../texts/play.js";
import { boardPart, hasBoard } from "./board-part.js";
import { callButton } from "./call.js";
import { chooseCard, chooseThree } from "./choose.js";
import { connectionLine } from "./connection.js";
import { askHint, openHistory } from "./dialogs.js";
import { openDispute } from "./dispute.js";
import { endingWith, living } from "./living.js";
import { lyingPieces } from "./lying.js";
import { hasButton, moodOf, picksByHand } from "./mood.js";
import { outcomeCard } from "./outcome.js";
import { pointsFor, redraw, tell } from "./part.js";
import { places, scoreboard, signed, unitOf } from "./scores.js";
import { sound, soundIsOn, turnSound, wakeSound } from "./sound.js";
import { menuButton, takeStage } from "./stage.js";
import { lastVerdict } from "./verdict.js";

const say = texts(PLAY);
/** How long after a touch its click may come, in milliseconds. */
const AFTER_TOUCH = 80;
/** Seconds after which something that has happened is not to be heard any more. */
const LATE = 5;

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./living.js").Part} Part */

/**
 * Show the table to the player who holds this device.
 * @param {HTMLElement} view
 * @param {TableSession} table
 * @returns {Promise<() => void>} what ends it
 */
export async function show(view, table) {
  const leave = takeStage("player");
  const board = await boardPart(table);
  const parts = [
    connectionLine(table), standingLine(table), scoreboard(table), outcomeCard(table), mainAction(table), lastVerdict(table), actions(table),
  ];
  const [connection, standing, scores, outcome, middle, verdict, doing] = parts;
  const menu = element("div", { class: "menu-panel row" }, soundSwitch(),
    knownTable(table.id)?.keys.join && element("a", { class: "button plain", href: `/table/${table.id}?as=join` }, say("seat")));
  const boardFirst = hasBoard(table);
  const played = element("div", { class: "play", "data-game": table.state.game },
    element("div", { class: "top" }, element("h1", {}, table.player ?? ""), connection, standing,
      element("div", { class: "top-end" }, menuButton(menu)), menu),
    scores, element("div", { class: "middle" }, outcome, middle), boardFirst && board, verdict, doing, !boardFirst && board);
  refill(view, played, awakeNote());
  const press = pressAnywhere(played);
  const cues = table.onchange((_, entry) => { if (entry) play(table, entry); });
  const sleep = stayAwake();
  return () => [leave, press, cues, sleep, board?.stop, ...parts.map(({ stop }) => stop)].forEach((stop) => stop?.());
}

/** How many points, and which place. @param {TableSession} table */
function standingLine(table) {
  const line = element("p", { class: "standing" });
  return living(table, line, () => {
    const me = table.state.players.find(({ name }) => name === table.player);
    const rank = places(table.state).get(table.player ?? "");
    if (!me || rank === undefined) return;
    const amount = say(unitOf(table.state), { count: me.score }).replace(/^[-−]?\d+/, signed(me.score));
    refill(line, element("strong", { class: "number" }, amount), element("span", { class: "soft" }, say("rank", { rank })));
  });
}

/** The big button, or what is done instead: three pieces chosen, a card laid. @param {TableSession} table @returns {Part} */
function mainAction(table) {
  const holder = element("div", { class: "main-action" });
  let claiming = false;
  // what comes in the place of the button must not get the click of the finger that still lies on it
  let isHeld = false;
  /** @type {Part | undefined} */
  let inner;
  let before = "";
  const draw = () => {
    const wanted = wantedOf(table, claiming);
    if (wanted === before || isHeld) return;
    claiming = claiming && wanted === "claim";
    inner?.stop();
    before = wanted;
    inner = wanted === "none" ? undefined : makers[wanted]();
    refill(holder, inner);
    holder.dataset.shows = wanted;
    holder.hidden = !inner;
  };
  const claim = (/** @type {boolean} */ on) => {
    claiming = on;
    draw();
  };
  const makers = {
    button: () => callButton(table, { onclaim: () => claim(true) }),
    pick: () => chooseThree(table, {
      title: say("chooseSet"),
      onchosen: (cards) => tell(table, { type: "picked", player: table.player, cards }),
      none: { text: say("showNone"), run: () => tell(table, { type: "gave_up", player: table.player }) },
    }),
    claim: () => chooseThree(table, {
      title: say("chooseClaim"),
      onchosen: (cards) => { claim(false); void tell(table, { type: "claimed", player: table.player, cards }); },
      none: { text: say("back"), run: () => claim(false) },
    }),
  };
  const release = () => {
    if (!isHeld) return;
    setTimeout(() => {
      isHeld = false;
      draw();
    }, AFTER_TOUCH);
  };
  holder.addEventListener("pointerdown", (event) => { isHeld = /** @type {Element} */ (event.target).closest(".call") !== null; }, true);
  const ends = ["pointerup", "pointercancel"];
  for (const end of ends) addEventListener(end, release);
  const part = living(table, holder, draw, ["state", "status"]);
  return endingWith(part, () => {
    for (const end of ends) removeEventListener(end, release);
    inner?.stop();
  });
}

/** @param {TableSession} table @param {boolean} claiming @returns {"none" | "button" | "pick" | "claim"} */
function wantedOf(table, claiming) {
  const mood = moodOf(table);
  if (!hasButton(table.state) || mood === "over") return "none";
  if (mood === "mine" && picksByHand(table.state)) return "pick";
  return claiming && mood === "ready" ? "claim" : "button";
}

/** What else a player can do. @param {TableSession} table */
function actions(table) {
  const row = element("div", { class: "actions" });
  const lay = layCard(table);
  const lying = lyingDetails(table);
  const buttons = element("div", { class: "row" });
  let before = "";
  const draw = () => {
    const { state, player } = table;
    const agreed = state.players.some(({ name, agreed: has }) => name === player && has);
    const mood = moodOf(table);
    const can = state.legal.moves.includes("no_set") && mood === "ready";
    const mayGiveUp = mood === "mine" && !picksByHand(state);
    const mayAsk = state.hints !== "never" && !state.outcome?.over && state.game !== "cubed";
    const now = JSON.stringify([agreed, can, mayGiveUp, state.hints, state.outcome?.over]);
    // a button that is being pressed must stay where it is
    if (now === before) return;
    before = now;
    redraw(buttons, [
      mayGiveUp && action("give", say("showNone"), () => tell(table, { type: "gave_up", player })),
      can && action("none", say(agreed ? "agreed" : "noSet"), () => tell(table, { type: "no_set", player }), agreed),
      mayAsk && action("hint", say("hint"), () => askHint(state.hints, (level) => tell(table, { type: "asked", player, level }))),
      action("dispute", say("dispute"), () => openDispute(table)),
      action("history", say("history"), () => openHistory(table)),
    ]);
  };
  refill(row, lay, buttons, lying);
  return endingWith(living(table, row, draw, ["state", "status"]), lying.stop, lay?.stop);
}

/** @param {string} name @param {string} text @param {() => unknown} run @param {boolean} [disabled] */
function action(name, text, run, disabled = false) {
  return plainButton(text, run, { "data-do": name, "data-key": name, disabled });
}

/** SETUP without a camera: which card was laid. @param {TableSession} table */
function layCard(table) {
  if (table.state.game !== "setup") return null;
  const lay = (/** @type {string} */ card) => tell(table, { type: "laid", player: table.player, card });
  const panel = element("section", { class: "panel" }, element("h2", {}, say("whichCard")), chooseCard(table, { text: say("lay"), onchosen: lay }));
  const follow = () => {
    panel.hidden = table.state.turn !== table.player || table.state.camera.connected || !table.state.legal.moves.includes("laid");
  };
  return living(table, panel, follow);
}

/** What lies there, where no camera looks on. @param {TableSession} table */
function lyingDetails(table) {
  const lying = lyingPieces(table);
  const details = element("details", { class: "lies" }, element("summary", {}, say("lies")), lying);
  const part = living(table, details, () => {
    details.hidden = table.state.layout.length === 0 || table.state.camera.connected || !picksByHand(table.state) && table.state.game !== "setup";
  });
  return endingWith(part, lying.stop);
}

/** Let others' calls and verdicts be heard. @param {TableSession} table @param {import("./living.js").Entry} entry */
function play(table, entry) {
  // what a phone hears of when it wakes up, or comes to the table, is no news
  if (table.time - entry.t > LATE) return;
  if (entry.type === "called" && entry.ok) sound(entry.player === table.player ? "mine" : "theirs");
  const mine = pointsFor(entry, table.player);
  if (table.state.outcome?.over) sound("end");
  else if (mine > 0) sound("good");
  else if (mine < 0 || (entry.judged && !entry.ok && entry.player === table.player)) sound("bad");
}

function soundSwitch() {
  const change = () => {
    turnSound(!soundIsOn());
    button.setAttribute("aria-pressed", String(soundIsOn()));
    wakeSound();
    sound("call");
  };
  const button = plainButton(say("sound"), change, { "aria-pressed": String(soundIsOn()) });
  return button;
}

function awakeNote() {
  return "wakeLock" in navigator ? null : element("p", { class: "soft small awake" }, say("awake"));
}

/** Let Space press the big button wherever the focus is, but on another control. @param {HTMLElement} played */
function pressAnywhere(played) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    const isOnControl = /** @type {Element} */ (event.target).closest("button, a, input, select, summary, dialog, [tabindex='0']");
    const button = played.querySelector("button.call");
    if (event.key !== " " || event.repeat || isOnControl || !button) return;
    event.preventDefault();
    button.dispatchEvent(new KeyboardEvent("keydown", { key: " ", cancelable: true }));
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

