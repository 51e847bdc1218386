/** A panel that is opened and closed by a button elsewhere, or by itself until people have done so. */

import { plainButton } from "../../dom.js";
import { living } from "./living.js";

/** @typedef {import("./living.js").TableSession} TableSession */
/** @typedef {import("./living.js").Part & {isOpen: () => boolean, turn: () => void}} Panel */

/**
 * Make a panel of an element.
 * @param {TableSession} table
 * @param {HTMLElement} made
 * @param {() => boolean} opens whether it is open by itself
 * @param {(open: boolean) => void} [onturn] hears, with each piece of news too, whether it is open
 * @returns {Panel}
 */
export function panel(table, made, opens, onturn) {
  /** @type {boolean | null} */
  let wanted = null;
  const isOpen = () => wanted ?? opens();
  const draw = () => {
    made.hidden = !isOpen();
    onturn?.(isOpen());
    made.dispatchEvent(new CustomEvent("turned"));
  };
  const turn = () => {
    wanted = !isOpen();
    draw();
    if (wanted) made.scrollIntoView({ block: "nearest" });
  };
  return Object.assign(living(table, made, draw), { isOpen, turn });
}

/** Return the button that opens and closes a panel. @param {string} text @param {Panel} part */
export function panelSwitch(text, part) {
  const button = plainButton(text, part.turn);
  const draw = () => button.setAttribute("aria-expanded", String(part.isOpen()));
  part.addEventListener("turned", draw);
  draw();
  return button;
}
