/** /j/CODE: a code leads to a table, and a player to a seat. /j/ alone asks for the code. */

import { codeForm } from "../code-form.js";
import { element, fill, notice, refill, styles } from "../dom.js";
import { tableTitle } from "../games.js";
import { list, texts } from "../i18n.js";
import { keepTable, knownTable } from "../memory.js";
import { navigate } from "../router.js";
import { ask, Refusal } from "../service.js";
import { JOIN } from "../texts/join.js";

const say = texts(JOIN);
const LOOK_AGAIN = 3000;

/** @typedef {{id: string, name: string | null, game: string, title: string, players: {name: string, connected: boolean, taken?: boolean}[]}} State */
/** @typedef {{table: string, key: string, role: "join" | "player" | "spectator" | "camera", player?: string | null}} Invited */

/** @type {import("../router.js").Show} */
export async function show(view, { parts: [code] }) {
  await styles("player");
  try {
    if (code) await enter(view, await ask("POST", "/invitations", { json: { code } }));
    else askCode(view, say("takeSeat"));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    askCode(view, say("wrong"), code, error.message);
  }
}

/** @param {HTMLElement} view @param {string} title @param {string} [code] @param {string} [wrong] why that code leads nowhere */
function askCode(view, title, code, wrong) {
  refill(view, element("div", { class: "narrow" }, element("section", { class: "panel stack" }, element("h1", {}, title), codeForm(code, wrong))));
}

/**
 * Keep the key that a code stands for, and go to the table; the code does not stay in the history.
 * @param {HTMLElement} view whoever has left it meanwhile is not called back
 * @param {Invited} invited
 */
async function enter(view, { table, key, role, player }) {
  /** @type {State} */
  const state = await ask("GET", `/tables/${table}`, { key });
  const keys = role === "player" && player ? { players: { [player]: key } } : { [role]: key };
  keepTable({ id: table, title: tableTitle(state), game: state.game, keys });
  const isSeated = ownSeats(table).length > 0;
  const as = role === "join" ? (isSeated ? "player" : "join") : role;
  if (view.isConnected) navigate(`/table/${table}?as=${as}`, { replace: true });
}

/**
 * Let people take a seat.
 * @param {HTMLElement} view
 * @param {{id: string, key: string, onlost: (error: Refusal) => void}} table `key` is of the kind join; `onlost` hears that
 *   the table, or the key, is gone
 * @returns {Promise<() => void>} what ends it
 * @throws {Refusal} there is no such table, or no answer
 */
export async function chooseSeat(view, { id, key, onlost }) {
  const heading = element("h1", {}, say("who"));
  const game = element("p", { class: "soft" });
  const seats = element("ul", { class: "seats" });
  refill(view, element("div", { class: "narrow stack" }, heading, game, seats));
  /** @type {Set<string>} */
  const refusedSeats = new Set();
  let before = "";
  const draw = (/** @type {State} */ state) => {
    const free = state.players.map((player) => ({ ...player, isFree: !(player.taken ?? player.connected) && !refusedSeats.has(player.name) }));
    const now = JSON.stringify(free);
    if (now === before) return;
    before = now;
    game.textContent = say("at", { game: tableTitle(state), players: list(state.players.map(({ name }) => name)) });
    const mine = ownSeats(id);
    refill(seats, free.map(({ name, isFree }) => seatItem(name, isFree || mine.includes(name), () => take(state, name))));
    if (!free.some(({ isFree, name }) => isFree || mine.includes(name))) fill(seats, element("li", { class: "notice doubt" }, say("noSeat")));
  };
  let isTaking = false;
  const take = async (/** @type {State} */ state, /** @type {string} */ player) => {
    if (isTaking) return;
    isTaking = true;
    try {
      if (!ownSeats(id).includes(player)) {
        const seat = await ask("POST", `/tables/${id}/seats`, { key, json: { player } });
        keepTable({ id, title: tableTitle(state), game: state.game, keys: { players: { [player]: seat.key } } });
      }
      if (view.isConnected) navigate(`/table/${id}?as=player:${encodeURIComponent(player)}`, { replace: true });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      notice(error.message);
      if (error.code === "seat-taken") refusedSeats.add(player);
      draw(state);
    } finally {
      isTaking = false;
    }
  };
  const look = async () => draw(await ask("GET", `/tables/${id}`, { key }));
  await look();
  const lost = (/** @type {Refusal} */ error) => {
    // what is only busy, or cannot be reached, may come back
    if (![401, 403, 404].includes(error.status)) return;
    clearInterval(timer);
    onlost(error);
  };
  const timer = setInterval(() => void look().catch(lost), LOOK_AGAIN);
  return () => clearInterval(timer);
}

/** Return the names of those for whom this browser has a seat at a table. @param {string} id */
function ownSeats(id) {
  return Object.keys(knownTable(id)?.keys.players ?? {});
}

/** @param {string} name @param {boolean} isFree @param {() => void} take */
function seatItem(name, isFree, take) {
  return element("li", {}, element(
    "button", { type: "button", class: "seat", disabled: !isFree, onclick: take },
    element("span", { class: "seat-name" }, name), " ", element("span", { class: "seat-note" }, say(isFree ? "free" : "taken")),
  ));
}
