/** Which devices are let in at the table, and how one is shut out again. */

import { askFirst } from "../../dialog.js";
import { element, notice, plainButton, refill } from "../../dom.js";
import { language, texts } from "../../i18n.js";
import { forgetTable, keepTable, knownTable } from "../../memory.js";
import { INVITING } from "../../texts/inviting.js";
import { living } from "./living.js";

const say = texts(INVITING);
const ROLES = /** @type {const} */ ({ host: "host", camera: "camera", join: "roleJoin", spectator: "roleSpectator" });

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("../table.js").Role} Role */
/** @typedef {{id: string, role: Role, player: string | null, revoked: boolean, created: number}} HeldKey */

/**
 * Return the list of keys, and what can be done with them.
 * @param {TableSession} table
 * @param {{onnewcode: () => unknown}} how what makes a new code for those who join
 * @returns {import("./living.js").Part}
 */
export function devices(table, { onnewcode }) {
  const seats = element("ul", { class: "plainly" });
  const others = element("ul", { class: "plainly" });
  const shown = element("div", { class: "stack" }, element("h3", {}, say("seats")), seats,
    element("h3", {}, say("others")), others);
  /** @type {HeldKey[]} */
  let keys = [];
  const load = async () => {
    ({ keys } = await table.ask("GET", "/keys"));
    draw();
  };
  const renew = () => void load().catch((error) => notice(error.message));
  const revoke = async (/** @type {HeldKey[]} */ lost, /** @type {string} */ question) => {
    if (!await askFirst(question, { yes: say("revoke"), no: say("cancel"), danger: true })) return;
    for (const { id } of lost) await table.ask("DELETE", `/keys/${id}`);
    forgetKeys(table.id, lost);
    await load();
  };
  const button = (/** @type {HeldKey[]} */ lost, /** @type {string} */ text, /** @type {string} */ question) => plainButton(text, () => void revoke(lost, question).catch((error) => notice(error.message)));
  let before = "";
  const draw = () => {
    const now = JSON.stringify([keys, table.state.players.map(({ connected }) => connected)]);
    // a button that is being pressed must stay where it is
    if (now === before) return;
    before = now;
    const held = keys.filter(({ revoked }) => !revoked);
    refill(seats, table.state.players.map(({ name, connected }) => {
      const mine = held.filter(({ player }) => player === name);
      return element("li", {}, element("span", {}, element("strong", {}, name), " ",
        element("span", { class: "help" }, say(connected ? "isThere" : "notConnected"))),
      mine.length > 0 && button(mine, say("freeSeat"), say("freeAsk", { name })));
    }));
    refill(others, held.filter(({ role }) => role !== "player").map((key) => element("li", {},
      element("span", {}, say(ROLES[/** @type {keyof typeof ROLES} */ (key.role)]), " ", element("span", { class: "help" }, `${key.id} · ${when(key.created)}`)),
      key.role === "join"
        ? plainButton(say("newCode"), () => void Promise.resolve(onnewcode()).then(renew))
        : table.key.startsWith(key.id) ? element("span", { class: "help" }, say("thisDevice"))
          : button([key], say("revoke"), say("revokeAsk", { what: say(ROLES[/** @type {keyof typeof ROLES} */ (key.role)]) })))));
  };
  renew();
  return living(table, shown, draw);
}

/** @param {number} seconds since 1970 */
function when(seconds) {
  return new Date(1000 * seconds).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

/** Forget keys that open nothing any more. @param {string} id @param {HeldKey[]} lost */
function forgetKeys(id, lost) {
  const known = knownTable(id);
  if (!known) return;
  const isLost = (/** @type {unknown} */ key) => typeof key === "string" && lost.some((one) => key.startsWith(`${one.id}.`));
  const kept = (/** @type {Record<string, any>} */ keys) => Object.fromEntries(Object.entries(keys).filter(([, key]) => !isLost(key)));
  forgetTable(id);
  keepTable({ ...known, keys: { ...kept(known.keys), players: kept(known.keys.players ?? {}) } });
}
