/** A phone or laptop that is the camera of a table. */

import { element, fill } from "../../dom.js";
import { texts } from "../../i18n.js";
import { CAMERA } from "../../texts/camera.js";
import { Viewfinder, viewfinderStyles } from "../../viewfinder.js";

const say = texts(CAMERA);

/** @typedef {{id: string, key: string}} Place a table, and a key with which its camera may come */

/**
 * Put the camera of a table into an element.
 * @param {HTMLElement} place
 * @param {Place} table
 * @param {{begin?: boolean}} [how] `begin`: without another press
 * @returns {() => void} what stops it and takes it away
 */
export function cameraPanel(place, { id, key }, { begin = false } = {}) {
  const viewfinder = new Viewfinder({ path: `/tables/${id}/camera`, hello: () => ({ key }) });
  let isLeft = false;
  void viewfinderStyles().then(() => {
    if (isLeft) return;
    fill(place, viewfinder.element);
    if (begin) void viewfinder.start();
  });
  return () => {
    isLeft = true;
    viewfinder.leave();
    viewfinder.element.remove();
  };
}

/**
 * Show the view of a device that is nothing but a table's camera.
 * @param {HTMLElement} view
 * @param {Place & {table?: {state: {title: string, name?: string | null}}}} table
 * @returns {() => void}
 */
export function show(view, { id, key, table }) {
  const name = table?.state.name ?? table?.state.title;
  fill(view, element("h1", {}, say("title")), name && element("p", { class: "soft" }, name), element("p", {}, say("lead")));
  const place = element("div", {});
  fill(view, place);
  return cameraPanel(place, { id, key });
}
