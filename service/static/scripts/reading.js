/** A photo, what the service reads off it, and what people say of it. */

import { saveAs } from "./dom.js";
import { language } from "./i18n.js";
import { ask, request } from "./service.js";

/**
 * @typedef {object} ReadPiece
 * @property {number} id its place among the pieces
 * @property {string} name
 * @property {string} label
 * @property {import("./features.js").Kind} kind
 * @property {number} confidence
 * @property {string | null} doubt
 * @property {[number, number][]} quad
 */

/**
 * What the service reads off a photo.
 * @typedef {object} Answer
 * @property {string} file
 * @property {number} ms
 * @property {[number, number]} size of the photo upright, in pixels
 * @property {import("./features.js").Deck | null} deck
 * @property {ReadPiece[]} pieces
 * @property {number[][]} sets the pieces of each, by id
 * @property {boolean[]} set_sure
 * @property {{code: string, text: string}[]} problems
 */

export class Reading {
  /**
   * @param {File} file
   * @param {string} [game] whose names and rules apply
   * @param {File | null} [board] the board file
   */
  constructor(file, game = "auto", board = null) {
    this.file = file;
    this.game = game;
    this.board = board;
    /** What people say that pieces are, by id. @type {Map<number, string>} */
    this.said = new Map();
    /** Null before it is read. @type {Answer | null} */
    this.answer = null;
    /** @type {string | null} */
    this.url = null;
  }

  /** What is sent: the photo, and all that is known besides. */
  form() {
    const form = new FormData();
    form.append("photo", this.file, this.file.name || "photo.jpg");
    if (this.board) form.append("board", this.board, this.board.name);
    for (const [id, name] of this.said) form.append("piece", `${id}=${name}`);
    return form;
  }

  /** Have it read. @returns {Promise<Answer>} @throws {import("./service.js").Refusal} it cannot be */
  async read() {
    /** @type {Answer} */
    const answer = await ask("POST", `/photos?game=${this.game}&language=${language()}`, { form: this.form() });
    this.answer = answer;
    return answer;
  }

  /**
   * Show the photo; what this browser cannot show, such as HEIC, the service turns into JPEG.
   * @param {HTMLImageElement} image
   */
  async show(image) {
    if (this.url === null) {
      this.url = URL.createObjectURL(this.file);
      image.src = this.url;
      if (await image.decode().then(() => true, () => false)) return;
      URL.revokeObjectURL(this.url);
      const form = new FormData();
      form.append("photo", this.file, "photo");
      this.url = URL.createObjectURL(await (await request("POST", "/photos?upright=1", { form })).blob());
    }
    image.src = this.url;
    await image.decode();
  }

  /** Save the photo with the SETs drawn on it. */
  async save() {
    const picture = await (await request("POST", `/photos?game=${this.game}&overlay=1`, { form: this.form() })).blob();
    saveAs(picture, `${this.file.name.replace(/\.\w+$/, "") || "photo"}.sets.jpg`);
  }

  /** Let go of the picture. */
  close() {
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = null;
  }
}
