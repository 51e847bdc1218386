/** The photo view: a photo is read, and the SETs on it are shown. */

import { chooseName } from "../choosing.js";
import { openDialog } from "../dialog.js";
import { announce, element, fill, newId, notice, plainButton, refill, styles } from "../dom.js";
import { gameTitle } from "../games.js";
import { list, number, texts } from "../i18n.js";
import { Overlay } from "../overlay.js";
import { drawPiece } from "../pieces.js";
import { Reading } from "../reading.js";
import { Refusal } from "../service.js";
import { refillSets, setButton } from "../sets.js";
import { PHOTO } from "../texts/photo.js";
import { listenForPhotos, photoChooser } from "./photo/choose.js";

/** @typedef {import("../reading.js").Answer} Answer */
/** @typedef {import("../reading.js").ReadPiece} ReadPiece */

const say = texts(PHOTO);
const GAMES = ["classic", "ravensburger", "setup", "junior-1", "junior-2", "cubed"];
const DOUBTS = /** @type {const} */ (["low confidence", "glare", "too small", "duplicate", "no colour", "cut off", "overexposed"]);
const PROBLEMS = /** @type {Record<string, "no-pieces" | "no-colours" | "duplicates" | "no-board-file">} */ ({
  "no-pieces": "no-pieces", "no-colours": "no-colours", duplicate: "duplicates", "no-board-file": "no-board-file",
});

/** @type {Reading | null} The photo that is shown: it stays while people look at other views, or choose a language. */
let kept = null;

/** @type {import("../router.js").Show} */
export async function show(view) {
  await Promise.all([styles("overlay"), styles("pieces"), styles("sets"), styles("photo")]);
  const photo = new PhotoView(view);
  const deaf = listenForPhotos(view, (file) => photo.read(file));
  if (kept) void photo.again();
  else photo.welcome();
  return () => { deaf(); photo.close(); };
}

class PhotoView {
  /** @param {HTMLElement} view */
  constructor(view) {
    this.view = view;
    /** The SET that is lit, by its index; null: all are shown. @type {number | null} */
    this.lit = null;
    this.named = false;
    /** @type {Overlay | null} */
    this.overlay = null;
    this.onkey = this.onkey.bind(this);
    document.addEventListener("keydown", this.onkey);
  }

  welcome() {
    refill(
      this.view,
      element("h1", {}, say("title")),
      element("p", { class: "soft lead" }, say("lead")),
      photoChooser((file) => this.read(file)),
    );
  }

  /** @param {File | null} file null: what was chosen is no photo */
  async read(file) {
    if (file === null) {
      notice(say("noPhoto"));
      return;
    }
    kept?.close();
    kept = new Reading(file, kept?.game, kept?.board);
    this.lit = null;
    await this.again();
  }

  /** Read the photo that is kept, with what people have said of it. */
  async again() {
    const reading = kept;
    if (!reading) return;
    if (!reading.answer) this.waiting(reading);
    let answer;
    try {
      answer = await reading.read();
    } catch (error) {
      if (reading === kept && this.view.isConnected) this.failed(reading, error);
      return;
    }
    if (reading === kept && this.view.isConnected) this.draw(reading, answer);
  }

  /** @param {Reading} reading */
  waiting(reading) {
    const text = say("reading", { file: reading.file.name });
    refill(this.view, element("h1", {}, say("title")), element("p", { class: "busy" }, text));
    announce(text);
  }

  /** @param {Reading} reading @param {unknown} error */
  failed(reading, error) {
    const text = error instanceof Error ? error.message : String(error);
    if (!(error instanceof Refusal)) console.error(error);
    if (reading.answer) {
      notice(text);
      return;
    }
    reading.close();
    kept = null;
    this.welcome();
    this.view.prepend(element("p", { class: "notice bad", role: "alert" }, text));
  }

  /** @param {Reading} reading @param {Answer} answer */
  draw(reading, answer) {
    const figure = element("figure", { class: "figure" });
    this.overlay?.close();
    this.overlay = new Overlay({ onpiece: (id) => this.openPiece(id), onset: (index) => this.light(index) });
    void this.picture(reading, figure, answer.size);
    fill(figure, this.overlay.element);
    this.list = element("ol", { class: "sets" });
    refill(
      this.view,
      element(
        "div", { class: "two" },
        figure,
        element("section", { class: "panel result", "aria-labelledby": "headline" }, this.verdict(answer), this.list, this.pieces(reading, answer)),
        this.actions(reading),
      ),
    );
    this.paint();
    announce(`${this.headline(answer)}. ${say("read", { file: answer.file, ms: Math.round(answer.ms) })}`);
  }

  /** @param {Reading} reading @param {HTMLElement} figure @param {[number, number]} size */
  async picture(reading, figure, [width, height]) {
    const image = element("img", { alt: say("picture"), width, height });
    figure.prepend(image);
    try {
      await reading.show(image);
    } catch {
      image.replaceWith(element("p", { class: "soft" }, say("noPicture")));
    }
  }

  /** @param {Answer} answer @returns {string} */
  headline(answer) {
    if (answer.pieces.length === 0) return say("nothing");
    return answer.sets.length === 0 ? say("noSet") : say("sets", { count: answer.sets.length });
  }

  /** @param {Answer} answer */
  verdict(answer) {
    const doubted = answer.pieces.filter((piece) => piece.doubt).length;
    const problems = answer.problems.filter((one) => one.code !== "no-pieces" || answer.pieces.length === 0);
    return element(
      "div", {},
      element("h1", { id: "headline" }, this.headline(answer)),
      answer.pieces.length > 0 && answer.sets.length === 0 && element("p", {}, say("noSetHelp")),
      doubted > 0 && element("p", { class: "notice doubt" }, say("unsure", { count: doubted })),
      doubted === 0 && answer.pieces.length > 0 && element("p", { class: "soft" }, say("sure")),
      problems.map((one) => element("p", { class: "notice doubt" }, one.code in PROBLEMS ? say(PROBLEMS[one.code]) : one.text)),
      answer.sets.length > 1 && element("p", { class: "soft small keys" }, say("keys")),
    );
  }

  /** Draw what depends on which SET is lit. */
  paint() {
    if (!kept?.answer || !this.overlay || !this.list) return;
    const { size, pieces, sets, set_sure: sure } = kept.answer;
    this.overlay.show({ size, pieces, sets, sure, lit: this.lit, named: this.named });
    refillSets(this.list, sets.map((trio, index) => this.set(trio.map((id) => pieces[id]), index, sure[index])));
  }

  /** @param {ReadPiece[]} pieces @param {number} index @param {boolean} sure */
  set(pieces, index, sure) {
    const look = { kind: pieces[0].kind, deck: kept?.answer?.deck ?? "us" };
    return setButton(pieces, { index, sure, isLit: this.lit === index, named: true, look, onclick: () => this.light(index) });
  }

  /** Light one SET, or all again. @param {number | null} index */
  light(index) {
    this.lit = index === this.lit ? null : index;
    this.paint();
    if (this.lit === null || !kept?.answer) return;
    const { pieces, sets } = kept.answer;
    announce(say("lit", { number: this.lit + 1, labels: sets[this.lit].map((id) => pieces[id].label).join(", ") }));
  }

  /** @param {KeyboardEvent} event */
  onkey(event) {
    const target = /** @type {Element} */ (event.target);
    const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog");
    if (!kept?.answer || isElsewhere) return;
    if (event.key === "0" || event.key === "Escape") this.light(this.lit);
    else if (/^[1-9]$/.test(event.key) && Number(event.key) <= kept.answer.sets.length) this.light(Number(event.key) - 1);
  }

  /** @param {Reading} reading */
  actions(reading) {
    const save = async (/** @type {Event} */ event) => {
      const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
      button.disabled = true;
      try {
        await reading.save();
      } catch (error) {
        notice(error instanceof Error ? error.message : String(error));
      }
      button.disabled = false;
    };
    const rename = (/** @type {Event} */ event) => {
      this.named = /** @type {HTMLInputElement} */ (event.target).checked;
      this.paint();
    };
    return element(
      "div", { class: "actions" },
      element("div", { class: "row" },
        element("button", { type: "button", onclick: () => { reading.close(); kept = null; this.welcome(); } }, say("another")),
        plainButton(say("save"), save),
        element("label", { class: "row check" }, element("input", { type: "checkbox", checked: this.named, onchange: rename }), say("names"))),
      this.more(reading),
    );
  }

  /** What people know about the table besides: its game, its board. @param {Reading} reading */
  more(reading) {
    const games = [["auto", say("anyGame")], ...GAMES.map((key) => [key, gameTitle(key, key)])];
    const chooseGame = (/** @type {Event} */ event) => {
      reading.game = /** @type {HTMLSelectElement} */ (event.target).value;
      void this.again();
    };
    const chooseBoard = async (/** @type {Event} */ event) => {
      const [file] = /** @type {HTMLInputElement} */ (event.target).files ?? [];
      if (!file) return;
      reading.board = file;
      reading.game = "auto";
      await this.again();
    };
    const game = newId("game");
    return element(
      "details", { class: "more" },
      element("summary", {}, say("more")),
      element("label", { class: "field", for: game }, say("game")),
      element("select", { id: game, onchange: chooseGame },
        games.map(([key, title]) => element("option", { value: key, selected: key === reading.game }, title))),
      element("label", { class: "field" }, say("boardFile"), element("input", { type: "file", accept: ".json,application/json", onchange: chooseBoard })),
    );
  }

  /** @param {Reading} reading @param {Answer} answer */
  pieces(reading, { pieces }) {
    const head = ["piece", "certainty", "doubt"].map((key) => element("th", { scope: "col" }, say(/** @type {"piece"} */ (key))));
    const rows = pieces.map((piece) => element(
      "tr", {},
      element("td", {}, element("button", { type: "button", class: "link", onclick: () => this.openPiece(piece.id) }, piece.label)),
      element("td", { class: "number" }, reading.said.has(piece.id) ? say("said") : number(piece.confidence, { style: "percent" })),
      element("td", {}, this.doubt(piece.doubt)),
    ));
    if (pieces.length === 0) return null;
    return element("details", { class: "pieces" }, element("summary", {}, say("pieces", { count: pieces.length })),
      element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)));
  }

  /** @param {string | null} doubt @returns {string} */
  doubt(doubt) {
    const known = DOUBTS.find((one) => one === doubt);
    return known ? say(known) : doubt ?? "";
  }

  /** Show one piece, and let people correct it. @param {number} id */
  async openPiece(id) {
    const reading = kept;
    if (!reading?.answer) return;
    const { pieces, sets, deck } = reading.answer;
    const piece = pieces[id];
    const part = sets.flatMap((trio, index) => (trio.includes(id) ? [`SET ${index + 1}`] : []));
    const dialog = openDialog(piece.label, [element("div", { class: "shown" },
      element("div", { class: "large" }, drawPiece(piece.name, { kind: piece.kind, deck: deck ?? "us" })),
      element("div", {},
        element("p", {}, reading.said.has(id) ? say("said") : `${say("certainty")}: ${number(piece.confidence, { style: "percent" })}`),
        piece.doubt && element("p", { class: "notice doubt" }, `${say("doubt")}: ${this.doubt(piece.doubt)}`),
        element("p", { class: "soft" }, part.length ? `${say("partOf")} ${list(part)}.` : say("noPart"))))], {
      className: "piece-dialog",
      answers: [{ value: "correct", text: say("correct") }, { value: "", text: say("close"), kind: "plain" }],
    });
    if (await dialog.answered !== "correct" || reading !== kept) return;
    const name = await chooseName({ name: piece.name, label: piece.label, kind: piece.kind, deck: deck ?? "us" });
    if (name === null || reading !== kept) return;
    reading.said.set(id, name);
    this.lit = null;
    await this.again();
  }

  close() {
    document.removeEventListener("keydown", this.onkey);
    this.overlay?.close();
  }
}
