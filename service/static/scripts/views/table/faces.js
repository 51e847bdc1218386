/** Every face of the dice, or every tile, to choose one from. */

import { closing, openDialog } from "../../dialog.js";
import { element } from "../../dom.js";
import { featuresFor, featuresOf, nameOf, valuesOf } from "../../features.js";
import { drawPiece } from "../../pieces.js";

/**
 * Return a table of all faces: a block for each shape, a row for each colour, a column for each number.
 * @param {(name: string) => string} label
 * @param {(name: string) => void} onpick
 * @param {{wild?: boolean, kind?: "die" | "tile", without?: Set<string>, chosen?: Set<string>}} [how]
 *   with the Wild; some that are gone, and some that are chosen
 * @returns {HTMLElement}
 */
export function palette(label, onpick, { wild = false, kind = "die", without, chosen } = {}) {
  const button = (/** @type {string} */ name) => element("button", {
    type: "button", class: "face", "aria-label": label(name), title: label(name), "data-key": name,
    disabled: without?.has(name), "aria-pressed": chosen && String(chosen.has(name)), onclick: () => onpick(name),
  }, drawPiece(name, { kind }));
  const blocks = valuesOf("shape").map((shape) => element("div", { class: "faces" },
    valuesOf("colour").flatMap((colour) => valuesOf("number").map((number) => button(`${number} ${colour} ${shape}`)))));
  return element("div", { class: "palette" }, blocks, wild && element("div", { class: "faces" }, button("wild")));
}

/**
 * Ask in a dialog for a face.
 * @param {string} title
 * @param {(name: string) => string} label
 * @param {string} cancel text of the button that chooses none
 * @returns {Promise<string | null>} null if people chose none
 */
export async function askFace(title, label, cancel) {
  const pick = (/** @type {string} */ name) => dialog.close(name);
  const dialog = openDialog(title, [palette(label, pick)], { answers: closing(cancel) });
  return await dialog.answered || null;
}

/**
 * Return the third face of a SET.
 * @param {string} one
 * @param {string} other
 * @returns {string}
 */
export function third(one, other) {
  const [first, second] = [featuresOf(one), featuresOf(other)];
  if (!first || !second) return one;
  const last = { ...first };
  for (const feature of featuresFor("die")) {
    const [a, b] = [first[feature], second[feature]];
    if (a !== b) last[feature] = valuesOf(feature).find((value) => value !== a && value !== b) ?? a;
  }
  return nameOf(last, "die");
}
