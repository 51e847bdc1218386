/** A view that has the screen for itself: the header of the page comes when it is asked for. */

import { element } from "../../dom.js";
import { texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";

const say = texts(PLAY);

/**
 * Give the screen to a view.
 * @param {"player" | "spectator"} who
 * @returns {() => void} what gives it back
 */
export function takeStage(who) {
  document.body.dataset.stage = who;
  return () => {
    delete document.body.dataset.stage;
    document.body.classList.remove("with-menu");
  };
}

/**
 * Return the button that shows and hides the header, and what a view puts beside it.
 * @param {HTMLElement} [more]
 */
export function menuButton(more) {
  const toggle = () => {
    const isOpen = document.body.classList.toggle("with-menu");
    button.setAttribute("aria-expanded", String(isOpen));
    if (more) more.hidden = !isOpen;
  };
  const name = { "aria-label": say("menu"), title: say("menu") };
  const button = element("button", { type: "button", class: "plain sign menu", "aria-expanded": "false", ...name, onclick: toggle },
    element("span", { "aria-hidden": "true" }, "≡"));
  if (more) more.hidden = true;
  return button;
}
