/** The page of the one who runs the table: everything at one glance, and everything that only a host can do. */

import { element, notice, plainButton, refill, styles } from "../../dom.js";
import { tableTitle } from "../../games.js";
import { texts } from "../../i18n.js";
import { keep, keepTable, knownTable, recall } from "../../memory.js";
import { HOST } from "../../texts/host.js";
import { INVITING } from "../../texts/inviting.js";
import { boardPart, hasBoard } from "./board-part.js";
import { callButton } from "./call.js";
import { cameraSetup } from "./camera-setup.js";
import { connectionLine } from "./connection.js";
import { controls } from "./controls.js";
import { openCorrection } from "./correct.js";
import { dealing } from "./deal.js";
import { decisions } from "./decide.js";
import { devices } from "./devices.js";
import { openHistory } from "./dialogs.js";
import { dueList } from "./due.js";
import { invitation, joined, newJoinKey } from "./invite.js";
import { endingWith, living } from "./living.js";
import { hasButton } from "./mood.js";
import { outcomeCard } from "./outcome.js";
import { panel, panelSwitch } from "./panel.js";
import { scoreboard } from "./scores.js";
import { callsFor, lyingTable } from "./settle.js";
import { lastVerdict } from "./verdict.js";

const say = texts(HOST);
/** Events that nobody tells before the game has begun. */
const PLAYED = new Set(["called", "claimed", "laid", "no_set", "announced"]);
const sayInvite = texts(INVITING);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./living.js").Part} Part */

/**
 * Show the table to its host.
 * @param {HTMLElement} view
 * @param {TableSession} table followed with a host's key
 * @returns {Promise<() => void>} what ends it
 */
export async function show(view, table) {
  await styles("host");
  const board = hasBoard(table) ? await boardPart(table) : null;
  const lying = lyingTable(table, (piece) => void openCorrection(table, piece));
  const invite = invitePanel(table);
  const camera = cameraSetup(table);
  const parts = [
    connectionLine(table), decisions(table), dueList(table), outcomeCard(table), scoreboard(table), lastVerdict(table),
    ownSeat(table), controls(table),
  ];
  const [line, decide, due, outcome, scores, verdict, seat, more] = parts;
  const calls = callsFor(table, lying.claim);
  const deal = dealing(table);
  const known = devicesPanel(table, invite.renew);
  refill(
    view,
    element("div", { class: "host", "data-game": table.state.game },
      element("header", { class: "host-head" },
        element("div", {}, element("h1", {}, tableTitle(table.state)), line),
        element("div", { class: "row host-tools" },
          panelSwitch(sayInvite("invite"), invite), panelSwitch(sayInvite("camera"), camera), panelSwitch(sayInvite("devices"), known),
          element("a", { class: "button plain", href: `/table/${table.id}?as=spectator`, target: "_blank", rel: "noopener" }, say("projector"), " ↗"),
          plainButton(say("history"), () => openHistory(table)))),
      known,
      decide, due, outcome,
      board && element("div", { class: "beside" }, invite, camera),
      board,
      element("div", { class: board ? "stack" : "two" },
        !board && element("div", { class: "stack" }, invite, lying, deal),
        element("div", { class: board ? "beside" : "stack" },
          element("section", { class: "panel", "aria-label": say("scores") }, scores), verdict, !board && camera, seat, calls, more, board && lying))),
  );
  return () => {
    for (const part of [...parts, lying, calls, deal, invite, camera, known, board]) part?.stop();
  };
}

/** How players come to the table: open until all are there, or the game has begun. @param {TableSession} table */
function invitePanel(table) {
  const place = element("div", {});
  const who = joined(table);
  /** @type {Part | undefined} */
  let inner;
  let wereAll = false;
  const key = () => knownTable(table.id)?.keys.join;
  const begin = async () => {
    const join = key() ?? await newKey();
    inner?.stop();
    inner = invitation(table, { key: () => key() ?? join, purpose: "join" });
    refill(place, inner);
  };
  const newKey = async () => {
    const join = await newJoinKey(table, key());
    keepTable({ ...knownOf(table), keys: { join } });
    return join;
  };
  const renew = async () => {
    await newKey();
    await begin();
    notice(sayInvite("newCodeMade"), { kind: "good" });
  };
  const opens = () => {
    wereAll = wereAll || table.state.players.every(({ connected }) => connected);
    return !wereAll && !table.entries.some(({ type }) => type !== undefined && PLAYED.has(type)) && !table.state.outcome;
  };
  let isBegun = false;
  const turned = (/** @type {boolean} */ open) => {
    if (!open || isBegun) return;
    isBegun = true;
    void begin().catch((error) => {
      isBegun = false;
      notice(error.message);
    });
  };
  const section = element("section", { class: "panel invite", "aria-labelledby": "invite-title" },
    element("h2", { id: "invite-title" }, sayInvite("inviteTitle")), place, who);
  const part = endingWith(panel(table, section, opens, turned), () => inner?.stop(), who.stop);
  return Object.assign(part, { renew });
}

/** @param {TableSession} table @returns {import("../../memory.js").KnownTable} */
function knownOf(table) {
  return knownTable(table.id) ?? { id: table.id, title: tableTitle(table.state), game: table.state.game, seen: 0, keys: { host: table.key } };
}

/** @param {TableSession} table @param {() => unknown} onnewcode */
function devicesPanel(table, onnewcode) {
  const section = element("section", { class: "panel devices", "aria-labelledby": "devices-title" },
    element("h2", { id: "devices-title" }, sayInvite("devicesTitle")));
  /** @type {Part | undefined} */
  let inner;
  const turned = (/** @type {boolean} */ open) => {
    if (open === Boolean(inner)) return;
    inner?.stop();
    inner?.remove();
    inner = open ? devices(table, { onnewcode }) : undefined;
    if (inner) section.append(inner);
  };
  return endingWith(panel(table, section, () => false, turned), () => inner?.stop());
}

/** Let the host play too: the big button for one of the players. @param {TableSession} table @returns {Part} */
function ownSeat(table) {
  const name = `seat.${table.id}`;
  const place = element("div", { class: "own-seat" });
  const players = table.state.players.map((player) => player.name);
  const before = recall(name, "");
  let player = players.includes(before) ? before : "";
  /** @type {Part | undefined} */
  let button;
  const choose = () => {
    player = select.value;
    keep(name, player || null);
    begin();
  };
  const select = element("select", { onchange: choose }, element("option", { value: "" }, say("playNot")),
    players.map((one) => element("option", { value: one, selected: one === player }, one)));
  const begin = () => {
    button?.stop();
    button = player ? callButton(seatOf(table, player), { onclaim: () => notice(say("claimBelow"), { kind: "good" }) }) : undefined;
    refill(place, button);
  };
  const section = element("section", { class: "panel stack tight" },
    element("label", { class: "row" }, element("strong", {}, say("playToo")), select), place);
  begin();
  const part = living(table, section, () => {
    section.hidden = !hasButton(table.state) || Boolean(table.state.outcome?.over) || players.length === 0;
  });
  return endingWith(part, () => button?.stop());
}

/** Return the table as a player sees it who uses the host's device. @param {TableSession} table @param {string} player @returns {TableSession} */
function seatOf(table, player) {
  return Object.create(table, {
    player: { value: player },
    call: { value: (/** @type {string | undefined} */ _, /** @type {number | undefined} */ at) => table.call(player, at) },
  });
}
