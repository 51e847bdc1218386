/** A ring that shrinks while a player has time after a call. */

import { element, svg } from "../../dom.js";
import { texts } from "../../i18n.js";
import { PLAY } from "../../texts/play.js";
import { callBegan } from "./mood.js";

const say = texts(PLAY);
const RADIUS = 45;
const AROUND = 2 * Math.PI * RADIUS;

/**
 * Return the ring, which is hidden while nobody has called or calls have no limit.
 * @param {import("./living.js").TableSession} table
 * @returns {HTMLElement & {stop: () => void}}
 */
export function callRing(table) {
  const circle = { cx: 50, cy: 50, r: RADIUS, fill: "none", "stroke-width": 7 };
  const arc = svg("circle", { ...circle, class: "arc", "stroke-linecap": "round", transform: "rotate(-90 50 50)", "stroke-dasharray": AROUND });
  const left = element("span", { class: "left number", "aria-hidden": "true" });
  const named = element("span", { class: "unseen" });
  const ring = element("div", { class: "ring", hidden: true },
    svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, svg("circle", { ...circle, class: "whole" }), arc), left, named);
  /** @type {string | null} */
  let caller = null;
  let began = 0;
  let frame = 0;
  const turn = () => {
    const limit = table.state.call_limit ?? 0;
    const rest = Math.max(0, Math.min(limit, began + limit - table.time));
    arc.setAttribute("stroke-dashoffset", String(AROUND * (1 - rest / limit)));
    left.textContent = String(Math.ceil(rest));
    ring.classList.toggle("urgent", rest < 3);
    frame = requestAnimationFrame(turn);
  };
  const follow = () => {
    const { state } = table;
    if (state.caller === caller) return;
    caller = state.caller;
    cancelAnimationFrame(frame);
    ring.hidden = caller === null || state.call_limit === null;
    if (caller === null || state.call_limit === null) return;
    began = callBegan(table.entries, table.time);
    named.textContent = say("seconds", { count: Math.round(state.call_limit) });
    turn();
  };
  const listening = table.onchange(follow);
  follow();
  return Object.assign(ring, { stop: () => { listening(); cancelAnimationFrame(frame); } });
}
