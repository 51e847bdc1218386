/** Opens a table, takes a seat at one, or goes on with one that this device knows. */

import { codeForm } from "../code-form.js";
import { askFirst } from "../dialog.js";
import { element, fill, styles } from "../dom.js";
import { language, texts } from "../i18n.js";
import { forgetTable, knownTables } from "../memory.js";
import { once } from "../service.js";
import { TABLES } from "../texts/tables.js";
import { openingForm } from "./opening/form.js";

/** @typedef {import("../memory.js").KnownTable} KnownTable */

const say = texts(TABLES);

/** @type {import("../router.js").Show} */
export async function show(view) {
  const [{ games }] = await Promise.all([once("/games"), styles("opening"), styles("pieces"), styles("boards")]);
  fill(
    view,
    element("h1", {}, say("title")),
    element("p", { class: "lead soft" }, say("lead")),
    element("div", { class: "ways" }, element("div", { class: "stack aside" }, seat(), known()), openingForm(games)),
  );
}

/** @returns {HTMLElement} where a code is typed */
function seat() {
  return element("section", { class: "panel", "aria-labelledby": "seat-title" }, element("h2", { id: "seat-title" }, say("takeSeat")), codeForm());
}

/** @returns {HTMLElement | null} the tables that this device knows */
function known() {
  const tables = knownTables();
  if (!tables.length) return null;
  const listed = element("ul", { class: "known" });
  const section = element("section", { class: "panel", "aria-labelledby": "known-title" },
    element("h2", { id: "known-title", tabindex: -1 }, say("known")), listed);
  fill(listed, tables.map((table) => knownTable(table, () => {
    if (listed.childElementCount) section.querySelector("h2")?.focus();
    else section.remove();
  })));
  return section;
}

/** @param {KnownTable} table @param {() => void} forgotten @returns {HTMLElement} */
function knownTable(table, forgotten) {
  const { id, title, keys } = table;
  const forget = async () => {
    const question = say(keys.host ? "forgetHost" : "forgetAsk", { title });
    if (!await askFirst(question, { yes: say("forgetNow"), no: say("cancel"), danger: true })) return;
    forgetTable(id);
    item.remove();
    forgotten();
  };
  const name = say("forget", { title });
  const item = element("li", {},
    element("a", { href: `/table/${id}` }, title,
      element("span", { class: "help" }, `${roleOf(table)} · ${say("lastUsed", { when: ago(table.seen) })}`)),
    element("button", { type: "button", class: "plain sign", "aria-label": name, title: name, onclick: forget }, "×"));
  return item;
}

/** @param {KnownTable} table */
function roleOf({ keys }) {
  const [player] = Object.keys(keys.players ?? {});
  if (keys.host) return say("asHost");
  if (player) return say("asPlayer", { name: player });
  return say(keys.spectator ? "asSpectator" : "asCamera");
}

/** Return how long ago something was. @param {number} then in milliseconds since 1970 */
function ago(then) {
  const minutes = Math.max(0, Math.round((Date.now() - then) / 60000));
  const words = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  if (minutes < 60) return words.format(-minutes, "minute");
  return minutes < 24 * 60 ? words.format(-Math.round(minutes / 60), "hour") : words.format(-Math.round(minutes / 24 / 60), "day");
}
