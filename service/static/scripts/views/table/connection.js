/** A line that says whether this device is at the table. */

import { announce, element, refill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { JOIN } from "../../texts/join.js";
import { living } from "./living.js";

const say = texts(JOIN);

/**
 * Return the line. What changes is read out.
 * @param {import("./living.js").TableSession} table
 * @returns {import("./living.js").Part}
 */
export function connectionLine(table) {
  const line = element("p", { class: "connection" });
  let before = table.status;
  const draw = () => {
    line.dataset.status = table.status;
    refill(line, element("span", { class: "dot", "aria-hidden": "true" }), element("span", { class: "said" }, words(table)));
    const changed = (table.status === "open") !== (before === "open");
    if (changed) announce(words(table));
    before = table.status;
  };
  return living(table, line, draw, ["status"]);
}

/** @param {import("./living.js").TableSession} table */
function words(table) {
  if (table.status === "ended") return say("lost");
  return say(table.status === "open" ? "connected" : "away");
}
