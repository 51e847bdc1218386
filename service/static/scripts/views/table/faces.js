/** Every face of the dice, or every tile, to choose one from. */

import { element, fill } from "../../dom.js";
import { drawPiece, featuresOf } from "../../pieces.js";

const NUMBERS = ["1", "2", "3"];
const COLOURS = ["red", "green", "purple"];
const SHAPES = ["oval", "diamond", "squiggle"];

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
  const blocks = SHAPES.map((shape) => element("div", { class: "faces" },
    COLOURS.flatMap((colour) => NUMBERS.map((number) => button(`${number} ${colour} ${shape}`)))));
  return element("div", { class: "palette" }, blocks, wild && element("div", { class: "faces" }, button("wild")));
}

/**
 * Ask in a dialog for a face.
 * @param {string} title
 * @param {(name: string) => string} label
 * @param {string} cancel text of the button that chooses none
 * @returns {Promise<string | null>} null if people chose none
 */
export function askFace(title, label, cancel) {
  return new Promise((resolve) => {
    /** @type {string | null} */
    let chosen = null;
    const pick = (/** @type {string} */ name) => {
      chosen = name;
      dialog.close();
    };
    const dialog = element("dialog", { class: "ask", "aria-labelledby": "ask-face" });
    const none = () => dialog.close();
    fill(dialog, element("h2", { id: "ask-face" }, title), palette(label, pick),
      element("button", { type: "button", class: "plain", onclick: none }, cancel));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
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
  const last = (/** @type {string[]} */ values, /** @type {string} */ a, /** @type {string} */ b) => (
    a === b ? a : values.find((value) => value !== a && value !== b));
  const number = last(NUMBERS, String(first.number), String(second.number));
  return [number, last(COLOURS, first.colour, second.colour), last(SHAPES, first.shape, second.shape)].join(" ");
}
