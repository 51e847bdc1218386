/** Corrects what the camera, or a person, took a piece for. */

import { chooseName } from "../../choosing.js";
import { askFirst } from "../../dialog.js";
import { notice } from "../../dom.js";
import { texts } from "../../i18n.js";
import { Refusal } from "../../service.js";
import { HOST } from "../../texts/host.js";
import { deckOf, kindOf } from "./living.js";

const say = texts(HOST);

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {{name: string, id?: number}} Piece `id` is that of the camera */

/**
 * Ask what a piece is, and have everything since judged again. What changed is told.
 * @param {TableSession} table
 * @param {Piece} piece
 */
export async function openCorrection(table, { name, id }) {
  const wanted = await chooseName({ name, label: table.label(name), kind: kindOf(table), deck: deckOf(table) });
  if (wanted === null || wanted === name) return;
  const correction = { from: name, to: wanted, ...(id === undefined ? {} : { piece: id }) };
  const values = { from: table.label(name), to: table.label(wanted) };
  try {
    const entries = await corrected(table, correction);
    if (entries) notice(outcome(entries, values), { kind: "good" });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notice(error.code === "nothing-to-correct" ? say("nothingToCorrect", values) : error.message);
  }
}

/**
 * @param {TableSession} table
 * @param {{from: string, to: string, piece?: number}} correction
 * @returns {Promise<import("./living.js").Entry[] | null>} null if people would rather not
 * @throws {Refusal}
 */
async function corrected(table, correction) {
  try {
    return await table.change("/corrections", correction);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "not-possible") throw error;
    const why = document.createElement("p");
    why.textContent = error.message;
    const agreed = await askFirst(say("notPossible", { to: table.label(correction.to) }), { yes: say("force"), no: say("cancel"), more: why });
    return agreed ? table.change("/corrections", { ...correction, force: true }) : null;
  }
}

/** @param {import("./living.js").Entry[]} entries @param {{from: string, to: string}} values */
function outcome(entries, values) {
  const count = entries.flatMap(({ changes }) => changes ?? []).length;
  return count ? say("corrected", { ...values, count }) : say("correctedOnly", values);
}
