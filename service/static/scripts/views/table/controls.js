/** What only a host can do: take back, ask for a hint, end the game, take the table away. */

import { askFirst } from "../../dialog.js";
import { element, notice, plainButton, refill, saveAs } from "../../dom.js";
import { texts } from "../../i18n.js";
import { forgetTable } from "../../memory.js";
import { navigate } from "../../router.js";
import { ask, Refusal } from "../../service.js";
import { HOST } from "../../texts/host.js";
import { levelsUpTo } from "./dialogs.js";
import { openDispute } from "./dispute.js";
import { living } from "./living.js";
import { counted, tell } from "./part.js";

const say = texts(HOST);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./living.js").Entry} Entry */

/** Return what an undo would take back. @param {TableSession} table @returns {Entry | undefined} */
function lastCounted({ entries }) {
  return counted(entries).pop();
}

/** Take back what counted last, once people have seen what that is. @param {TableSession} table */
async function undo(table) {
  const entry = lastCounted(table);
  if (!entry) return;
  const more = element("p", {}, entry.text);
  if (!await askFirst(say("undoAsk"), { yes: say("undoNow"), no: say("cancel"), more })) return;
  try {
    if (lastCounted(table) !== entry) throw new Refusal("moved", "", 412);
    await table.change("/undo", {}, { onlyNow: true });
  } catch (error) {
    notice(error instanceof Refusal && error.code === "moved" ? say("moved") : String(/** @type {Error} */ (error).message));
  }
}

/**
 * Return the buttons of the host.
 * @param {TableSession} table
 * @returns {import("./living.js").Part}
 */
export function controls(table) {
  const back = plainButton(`↶ ${say("undo")}`, () => void undo(table));
  const dispute = plainButton(say("dispute"), () => void openDispute(table));
  const hints = element("details", { class: "hints" });
  const end = button(say("end"), () => endGame(table));
  const more = element("details", {}, element("summary", {}, say("more")), element("div", { class: "row" },
    end, button(say("record"), () => download(table)), button(say("delete"), () => remove(table), "danger")));
  const section = element("section", { class: "panel stack tight", "aria-label": say("host") },
    element("div", { class: "row" }, back, dispute), hints, more);
  let level = "";
  const draw = () => {
    back.disabled = !lastCounted(table);
    dispute.hidden = !table.entries.some(({ type }) => type === "called" || type === "claimed");
    const isOver = table.state.outcome?.over === true;
    end.hidden = isOver;
    hints.hidden = isOver || table.state.hints === "never";
    if (level === table.state.hints) return;
    level = table.state.hints;
    refill(hints, element("summary", {}, say("hint")), hintButtons(table));
  };
  return living(table, section, draw, ["state", "entry"]);
}

/** @param {TableSession} table */
function hintButtons(table) {
  const who = element("select", {}, table.state.players.map(({ name }) => element("option", {}, name)));
  return element("div", { class: "stack tight" }, element("label", { class: "field" }, say("whoAsks"), who),
    element("div", { class: "row" }, levelsUpTo(table.state.hints).map((level) => plainButton(say(`hints_${level}`), () => void tell(table, { type: "asked", player: who.value, level })))));
}

/** @param {string} text @param {() => Promise<unknown>} run */
function button(text, run, kind = "plain") {
  return element("button", { type: "button", class: kind, onclick: () => void run().catch((error) => notice(error.message)) }, text);
}

/** @param {TableSession} table */
async function endGame(table) {
  if (await askFirst(say("endAsk"), { yes: say("end"), no: say("cancel") })) await tell(table, { type: "ended" });
}

/** @param {TableSession} table */
async function download(table) {
  saveAs(await table.fetch("/record"), `${table.state.game}-${table.id}.jsonl`);
}

/** Take the table away, asked twice: nothing of it is left. @param {TableSession} table */
async function remove(table) {
  const how = { yes: say("delete"), no: say("cancel"), danger: true };
  if (!await askFirst(say("deleteAsk"), how)) return;
  if (!await askFirst(say("deleteSure"), { ...how, yes: say("deleteNow") })) return;
  await ask("DELETE", `/tables/${table.id}`, { key: table.key });
  forgetTable(table.id);
  if (location.pathname === `/table/${table.id}`) navigate("/table", { replace: true });
}
