/** Where photos come from: the camera app, a file, the clipboard, or dropped on the page. */

import { element, newId, notice, plainButton } from "../../dom.js";
import { texts } from "../../i18n.js";
import { drawPiece } from "../../pieces.js";
import { PHOTO } from "../../texts/photo.js";

const say = texts(PHOTO);
const PHOTOS = /\.(jpe?g|png|webp|bmp|tiff?|gif|hei[cf])$/i;

/** @typedef {(file: File | null) => unknown} Chosen hears the photo; null where it was none */

/** @param {Iterable<File>} files @returns {File | null | undefined} the first photo, null if there are other files only */
function photoAmong(files) {
  const all = [...files];
  return all.find((file) => file.type.startsWith("image/") || PHOTOS.test(file.name)) ?? (all.length ? null : undefined);
}

/**
 * Return the panel in which a photo is chosen.
 * @param {Chosen} chosen
 */
export function photoChooser(chosen) {
  return element(
    "div", { class: "panel drop" },
    element("div", { class: "fan" }, ["1 red striped oval", "2 green open diamond", "3 purple solid squiggle"].map((name) => drawPiece(name))),
    element("div", { class: "row middle" },
      picker(say("take"), "", { accept: "image/*", capture: "environment" }, chosen),
      picker(say("choose"), "plain", { accept: "image/*,.heic,.heif" }, chosen),
      plainButton(say("example"), () => example(chosen))),
    element("p", { class: "soft" }, say("drop")),
  );
}

/** @param {string} text @param {string} look @param {import("../../dom.js").Properties} how @param {Chosen} chosen */
function picker(text, look, how, chosen) {
  const id = newId("photo");
  const change = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const [file] = input.files ?? [];
    input.value = "";
    if (file) chosen(file);
  };
  return [
    element("input", { id, type: "file", class: "unseen", onchange: change, ...how }), element("label", { class: `button ${look}`, for: id }, text),
  ];
}

/** @param {Chosen} chosen */
async function example(chosen) {
  const response = await fetch("/static/demo.jpg").catch(() => null);
  if (response?.ok) chosen(new File([await response.blob()], "demo.jpg", { type: "image/jpeg" }));
  else notice(say("noExample"));
}

/**
 * Listen for photos that are dropped or pasted anywhere.
 * @param {HTMLElement} view
 * @param {Chosen} chosen
 * @returns {() => void} ends that
 */
export function listenForPhotos(view, chosen) {
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    view.classList.toggle("over", event.type === "dragover");
  };
  const drop = (/** @type {DragEvent} */ event) => {
    over(event);
    take(event.dataTransfer?.files);
  };
  const paste = (/** @type {ClipboardEvent} */ event) => take(event.clipboardData?.files);
  const take = (/** @type {FileList | undefined} */ files) => {
    const photo = photoAmong(files ?? []);
    if (photo !== undefined) chosen(photo);
  };
  document.addEventListener("dragover", over);
  document.addEventListener("dragleave", over);
  document.addEventListener("drop", drop);
  document.addEventListener("paste", paste);
  return () => {
    document.removeEventListener("dragover", over);
    document.removeEventListener("dragleave", over);
    document.removeEventListener("drop", drop);
    document.removeEventListener("paste", paste);
  };
}
