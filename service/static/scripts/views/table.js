/** To come. */

import { element, fill } from "../dom.js";

/** @type {import("../router.js").Show} */
export function show(view) {
  fill(view, element("h1", {}, "Set Referee"));
}
