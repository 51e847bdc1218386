/** What is told at the host's device for those who have none: who has called, and which three they show. */

import { element, notice, plainButton, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { HOST } from "../../texts/host.js";
import { chooseThree } from "./choose.js";
import { endingWith, living } from "./living.js";
import { lyingPieces } from "./lying.js";
import { lastLaid, picksByHand } from "./mood.js";
import { tell } from "./part.js";

const say = texts(HOST);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./living.js").Part} Part */

/**
 * Return what lies there: a tap corrects a piece. While a call is open that no camera looks at, the three of it are
 * tapped; `claim` has a player show three in SETUP.
 * @param {TableSession} table
 * @param {(piece: import("./lying.js").LyingPiece) => unknown} oncorrect
 * @returns {Part & {claim: (player: string) => void}}
 */
export function lyingTable(table, oncorrect) {
  const section = element("section", { class: "panel lies-there", "aria-label": say("lies") });
  /** @type {string | null} */
  let claimer = null;
  /** @type {Part | undefined} */
  let inner;
  let before = "";
  const claim = (/** @type {string | null} */ player) => {
    claimer = player;
    draw();
  };
  const choosing = (/** @type {string} */ player) => {
    const isClaim = claimer !== null;
    const onchosen = (/** @type {string[]} */ cards) => {
      claimer = null;
      void tell(table, { type: isClaim ? "claimed" : "picked", player, cards }).then(draw);
    };
    const none = isClaim
      ? { text: say("cancel"), run: () => claim(null) }
      : { text: say("showsNone"), run: () => tell(table, { type: "gave_up", player }) };
    return chooseThree(table, { title: say("tapThree", { player }), onchosen, none });
  };
  const lying = () => {
    const pieces = lyingPieces(table, { onpiece: oncorrect });
    const part = element("div", {}, element("h2", {}, say("lies")), element("p", { class: "help" }, say("tapToCorrect")), pieces);
    return Object.assign(part, { stop: pieces.stop });
  };
  const draw = () => {
    const player = claimer ?? (picksByHand(table.state) ? table.state.caller : null);
    const now = player === null ? "lying" : `${claimer === null ? "call" : "claim"} ${player}`;
    section.hidden = table.state.layout.length === 0 && !table.seen?.pieces.length;
    if (now === before) return;
    inner?.stop();
    before = now;
    inner = player === null ? lying() : choosing(player);
    refill(section, inner);
  };
  const part = endingWith(living(table, section, draw, ["state", "seen"]), () => inner?.stop());
  return Object.assign(part, { claim });
}

/**
 * Return what a host tells for each player: that they called, that they show none, that they see no SET.
 * @param {TableSession} table
 * @param {(player: string) => void} onclaim
 * @returns {Part}
 */
export function callsFor(table, onclaim) {
  const section = element("section", { class: "panel calls-for", "aria-label": say("callsFor") });
  const button = (/** @type {string} */ text, /** @type {string} */ player, /** @type {() => unknown} */ what) => plainButton(text, () => what(), { "aria-label": `${player}: ${text}` });
  const call = (/** @type {string} */ name) => table.call(name).catch((error) => notice(error.message));
  const rowOf = (/** @type {string} */ name) => {
    const { state } = table;
    const may = (/** @type {string} */ type) => state.legal.moves.includes(type) && state.caller === null;
    const event = (/** @type {string} */ type) => () => tell(table, { type, player: name });
    const buttons = [
      may("called") && (state.turn ?? name) === name && button(say("set"), name, () => call(name)),
      state.caller === name && button(say("showsNone"), name, event("gave_up")),
      may("claimed") && lastLaid(table.entries)?.player !== name && button(say("set"), name, () => onclaim(name)),
      may("no_set") && button(say("noSet"), name, event("no_set")),
      may("passed") && state.turn === name && button(say("passes"), name, event("passed")),
    ].filter(Boolean);
    return buttons.length > 0 && element("li", {}, element("strong", {}, name), element("span", { class: "row" }, buttons));
  };
  let before = "";
  const draw = () => {
    const { caller, turn, tie, legal, outcome, players, game } = table.state;
    const now = JSON.stringify([caller, turn, tie, legal.moves, outcome?.over, lastLaid(table.entries)?.player]);
    if (now === before) return;
    before = now;
    const rows = game === "cubed" || tie ? [] : players.map(({ name }) => rowOf(name)).filter(Boolean);
    section.hidden = rows.length === 0;
    refill(section, element("h2", {}, say("callsFor")), element("p", { class: "help" }, say("callsHelp")), element("ul", { class: "plainly" }, rows));
  };
  return living(table, section, draw, ["state"]);
}
