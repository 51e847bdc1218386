/** The big button of a player: it counts from the moment of the press. */

import { element, notice, refill } from "../../dom.js";
import { list, texts } from "../../i18n.js";
import { clock } from "../../link.js";
import { PLAY } from "../../texts/play.js";
import { endingWith, living } from "./living.js";
import { mayPress, moodOf, picksByHand } from "./mood.js";
import { callRing } from "./ring.js";
import { sound, wakeSound } from "./sound.js";

const say = texts(PLAY);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./mood.js").Mood | "pressed"} Shown */

/** How long a press may wait for the referee, in milliseconds. */
const PATIENCE = 3000;
/** The same while the table is somebody else's: the call waits until the referee has seen that pick. */
const LONG_PATIENCE = 12000;

/**
 * Return the button.
 * @param {TableSession} table
 * @param {{onclaim: () => void}} how what a press does in SETUP, where nobody calls
 * @returns {import("./living.js").Part}
 */
export function callButton(table, { onclaim }) {
  const button = element("button", { type: "button", class: "call" });
  const ring = callRing(table);
  let pressed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const draw = () => {
    const now = moodOf(table);
    const mood = pressed && mayPress(table.state, now) ? "pressed" : now;
    const [word, note] = wordsOf(table, mood);
    button.dataset.mood = mood;
    button.setAttribute("aria-disabled", String(!mayPress(table.state, /** @type {import("./mood.js").Mood} */ (mood))));
    refill(button, ring, element("span", { class: "word" }, word), element("span", { class: "note" }, note));
  };
  const rest = () => {
    pressed = false;
    clearTimeout(timer);
    draw();
  };
  const press = async (/** @type {number} */ at) => {
    wakeSound();
    if (pressed || !mayPress(table.state, moodOf(table))) return;
    sound("call");
    if (table.state.game === "setup") {
      onclaim();
      return;
    }
    pressed = true;
    draw();
    timer = setTimeout(rest, table.state.caller === null ? PATIENCE : LONG_PATIENCE);
    try {
      await table.call(undefined, at);
    } catch (error) {
      notice(/** @type {Error} */ (error).message);
      rest();
    }
  };
  const answer = (/** @type {import("./living.js").Entry | undefined} */ entry) => {
    if (entry && pressed && isAnswer(entry, table.player)) {
      if (entry.kind === "message") notice(say("notCounted"));
      rest();
    } else draw();
  };
  listen(button, press);
  const part = living(table, button, answer, ["entry", "state", "status"]);
  return endingWith(part, ring.stop, () => clearTimeout(timer));
}

/** Whether an entry says what became of a call. @param {import("./living.js").Entry} entry @param {string | null} player */
function isAnswer(entry, player) {
  if (entry.kind === "tie") return player !== null && Object.keys(entry.times ?? {}).includes(player);
  return entry.player === player && (entry.kind === "message" || entry.type === "called");
}

/**
 * Press on touch, not when the finger is lifted; by Space and Enter; and by the clicks of screen readers.
 * @param {HTMLButtonElement} button
 * @param {(at: number) => void} press
 */
function listen(button, press) {
  let touched = false;
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    touched = true;
    press(momentOf(event));
  });
  button.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) press(momentOf(event));
  });
  button.addEventListener("click", () => {
    if (!touched) press(clock());
    touched = false;
  });
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Return when an event happened, by the clock of calls. @param {Event} event */
function momentOf(event) {
  const at = event.timeStamp / 1000;
  return Math.abs(clock() - at) < 1 ? at : clock();
}

/**
 * Return the big word of the button, and the line below it.
 * @param {TableSession} table
 * @param {Shown} mood
 * @returns {[string, string]}
 */
function wordsOf(table, mood) {
  const { state } = table;
  switch (mood) {
    case "ready": return readyWords(state);
    case "mine": return [say("mine"), say(picksByHand(state) ? "chooseSet" : "pickUp")];
    case "theirs": return [say("theirs", { player: state.caller ?? "" }), say("theirsNote")];
    case "tied": return [say("tied"), say("tiedNote", { players: list(state.tie?.players ?? []) })];
    case "turn": return [say("turnOf", { player: state.turn ?? "" }), ""];
    case "wait": return waitWords(table);
    case "pressed":
    case "master":
    case "out":
    case "away": return [say(mood), say(/** @type {"outNote"} */ (`${mood}Note`))];
    default: return [say(mood), ""];
  }
}

/** @param {TableSession} table @returns {[string, string]} */
function waitWords({ state, player }) {
  if (state.game !== "setup" || state.turn === null) return [say("wait"), dueText(state)];
  return state.turn === player ? [say("yourTurn"), say("layOne")] : [say("turnOf", { player: state.turn }), ""];
}

/** @param {import("../../table/session.js").State} state @returns {[string, string]} */
function readyWords(state) {
  if (state.game === "cubed") return [say(state.turn === null ? "first" : "turn"), say("turnNote")];
  if (state.game === "setup") return [say("set"), say("claim")];
  return [say("set"), state.legal.due.some(({ optional }) => !optional) ? dueText(state) : say("ready")];
}

/** Return what people have to do now, by chance: to deal, to shuffle, to roll. @param {import("../../table/session.js").State} state */
export function dueText(state) {
  const due = state.legal.due.find(({ optional }) => !optional);
  if (!due) return say("waiting");
  const { task, count } = due;
  if (task === "deal") return say(state.game.startsWith("junior") ? "dealTiles" : "deal", { count });
  return task === "shuffle" ? say("shuffle") : say("roll", { player: due.player ?? "", count });
}
