/** A camera's picture with what the service sees in it: start, pause, light, advice, and what is wrong. */

import { Frames } from "./capture.js";
import { CameraError, cameras, hasTorch, openCamera, setTorch, stayAwake } from "./devices.js";
import { announce, element, refill, styles } from "./dom.js";
import { number, texts } from "./i18n.js";
import { keep, recall } from "./memory.js";
import { Overlay } from "./overlay.js";
import { Socket } from "./socket.js";
import { CAMERA } from "./texts/camera.js";

/** @typedef {import("./table/session.js").Seen} Seen */
/** @typedef {import("./overlay.js").Shown} Shown */
/** @typedef {import("./socket.js").Status} Status */
/** @typedef {keyof typeof CAMERA.en | import("./i18n.js").Common} Text */

/**
 * @typedef {object} Wanted
 * @property {string} path of the camera's socket, below /api/v1
 * @property {() => object} hello
 * @property {(seen: any) => Partial<Shown>} [draw] what is shown besides the pieces
 * @property {(seen: any) => void} [onseen] after it is drawn
 * @property {(isOn: boolean) => void} [onchange] the camera was started, or stopped
 */

const say = texts(CAMERA);
const ADVICE = ["too-dark", "too-bright", "glare", "hands", "hold-still", "blurred", "move-closer", "move-back", "no-pieces"];
const DELAYS = 100;
const MEASURES = 2000;
const MEASURE = "overlay-delay";
const CERTIFICATE = "/api/v1/certificate";

/** The styles of whatever has a viewfinder. @returns {Promise<unknown>} */
export function viewfinderStyles() {
  return Promise.all([styles("overlay"), styles("viewfinder")]);
}

/** A camera of this device, and its picture. */
export class Viewfinder {
  /** @param {Wanted} wanted */
  constructor(wanted) {
    this.wanted = wanted;
    /** @type {MediaStream | null} */
    this.stream = null;
    /** @type {Socket | null} */
    this.socket = null;
    /** @type {Frames | null} */
    this.frames = null;
    /** @type {Seen | null} */
    this.seen = null;
    /** When the picture was taken that `seen` is about, while it is not drawn. @type {number | null} */
    this.taken = null;
    this.isPaused = false;
    /** @type {{delay: number, at: number}[]} */
    this.delays = [];
    this.measured = 0;
    this.letSleep = () => {};
    /** Counts the cameras that were asked for: people may have left before they let the page use one. */
    this.turn = 0;
    /** Why the connection was lost. @type {{code: number, reason: string} | undefined} */
    this.lost = undefined;
    /** @type {HTMLButtonElement | undefined} */
    this.pauseButton = undefined;
    this.video = element("video", { playsinline: true, "aria-label": say("video") });
    this.video.muted = true;
    this.video.addEventListener("resize", () => this.stage.style.setProperty("--ratio", String(this.video.videoWidth / this.video.videoHeight)));
    this.overlay = new Overlay();
    this.advice = element("p", { class: "advice", hidden: true });
    /** What is said over the picture where it fills the screen. */
    this.caption = element("p", { class: "caption" });
    this.cover = element("div", { class: "cover" });
    this.stage = element("figure", { class: "figure stage" }, this.video, this.overlay.element, this.caption, this.advice, this.cover);
    this.tools = element("div", { class: "row tools", hidden: true });
    this.figures = element("p", { class: "figures small soft number" });
    this.element = element("div", { class: "viewfinder" }, this.stage, this.tools, this.figures);
    this.visible = () => { if (!document.hidden && this.stream && !this.isPaused) void this.video.play().catch(() => {}); };
    document.addEventListener("visibilitychange", this.visible);
    this.changed = () => { if (this.stream) void this.listCameras(); };
    navigator.mediaDevices?.addEventListener?.("devicechange", this.changed);
    this.timer = setInterval(() => this.tellFigures(), 1000);
    this.showStart();
  }

  /** Whether the camera runs, paused or not. */
  get isOn() {
    return this.stream !== null;
  }

  showStart() {
    this.showCover("", button("start", () => this.start(), ""));
  }

  /** Say why there is no picture, and what can be done. @param {string} problem @param {...(Node | null | false)} ways */
  showCover(problem, ...ways) {
    refill(this.cover, problem && element("p", { role: "alert" }, problem), element("div", { class: "row" }, ways));
    this.stage.classList.toggle("told", problem !== "");
    this.cover.hidden = false;
  }

  /** Ask for the camera, and begin. */
  async start() {
    this.close();
    this.showCover("", element("p", {}, say("opening")));
    if (!await this.take(recall("camera", ""))) return;
    this.cover.hidden = true;
    this.tools.hidden = false;
    this.letSleep = stayAwake();
    this.connect();
    this.wanted.onchange?.(true);
    await this.listCameras();
    this.tools.querySelector("button")?.focus();
  }

  /**
   * Take a camera in the place of the one before.
   * @param {string} id of a device; empty: the back camera
   * @returns {Promise<boolean>} whether its picture is shown; if not, people know why, or have left
   */
  async take(id) {
    const turn = ++this.turn;
    stop(this.stream);
    try {
      const stream = await openCamera(id);
      if (turn !== this.turn) {
        stop(stream);
        return false;
      }
      stream.getVideoTracks()[0].onended = () => { if (this.stream === stream) this.fail(new CameraError("unplugged")); };
      this.stream = stream;
      this.video.srcObject = stream;
      await this.video.play();
    } catch (error) {
      if (turn === this.turn) this.fail(error);
      return false;
    }
    return turn === this.turn;
  }

  /** @param {unknown} error */
  fail(error) {
    const reason = error instanceof CameraError ? error.reason : "failed";
    if (reason === "failed") console.info(error);
    this.close();
    const again = reason === "insecure" ? null : button("again", () => this.start(), "");
    this.showCover(say(reason), again, element("a", { class: "button plain", href: "/photo" }, say("photo")));
  }

  connect() {
    const { path, hello } = this.wanted;
    const socket = new Socket({
      path,
      hello,
      onmessage: (message) => this.hear(message),
      onstatus: (status, end) => this.tell(status, end),
      onrefused: () => void this.refuse(),
    });
    this.socket = socket;
    this.frames = new Frames(this.video, socket);
    this.frames.start();
  }

  /** The service is there, but no picture gets to it: an iPhone wants its certificate to be trusted first. */
  async refuse() {
    this.close();
    const turn = this.turn;
    const certificate = location.protocol === "https:" && await fetch(CERTIFICATE).then(({ ok }) => ok, () => false);
    if (turn !== this.turn) return;
    this.showCover(say(certificate ? "distrusted" : "cut"), certificate && element("a", { class: "button", href: CERTIFICATE }, say("certificate")),
      button("again", () => this.start(), certificate ? "plain" : ""), element("a", { class: "button plain", href: "/photo" }, say("photo")));
  }

  /** Say hello anew, with what is wanted now. */
  again() {
    if (!this.socket) return;
    this.seen = null;
    this.socket.wake();
  }

  /** @param {any} message */
  hear(message) {
    if (message.type === "hello") this.frames?.reset();
    const taken = this.frames?.hear(message) ?? null;
    if (message.type !== "seen" || this.isPaused) return;
    const waits = this.taken !== null;
    this.seen = message;
    this.taken = taken ?? performance.now();
    if (!waits) requestAnimationFrame(() => this.draw());
  }

  draw() {
    const { seen, taken } = this;
    this.taken = null;
    if (!seen || taken === null || !this.stream) return;
    this.redraw();
    this.measure(taken);
    this.advise(seen);
    this.wanted.onseen?.(seen);
  }

  /** Draw anew what was seen last. */
  redraw() {
    if (!this.seen) return;
    const { size, pieces, scene } = this.seen;
    this.overlay.element.classList.toggle("moving", scene === "moving");
    this.overlay.show({ size, pieces, ...this.wanted.draw?.(this.seen) });
  }

  /** @param {number} start when the picture was taken that is drawn now */
  measure(start) {
    const end = performance.now();
    this.delays = [...this.delays, { delay: end - start, at: end }].slice(-DELAYS);
    if (++this.measured % MEASURES === 0) performance.clearMeasures(MEASURE);
    performance.measure(MEASURE, { start, end });
  }

  /** Say what would help, where the service has said so; hands come and go too often to be read out. @param {Seen} seen */
  advise({ advice }) {
    const text = advice && ADVICE.includes(advice) ? say(/** @type {Text} */ (advice)) : "";
    if (text && text !== this.advice.textContent && advice !== "hands") announce(text);
    this.sayOver(text);
  }

  /** @param {string} text written over the picture */
  sayOver(text) {
    if (this.advice.textContent !== text) this.advice.textContent = text;
    this.advice.hidden = !text;
  }

  /** @param {Status} status @param {{code: number, reason: string}} [end] */
  tell(status, end) {
    if (!this.stream) return;
    if (status === "ended") {
      this.close();
      this.showCover(ending(end), wayBack(end?.code, () => this.start()));
      return;
    }
    if (status !== "open") this.overlay.clear();
    const text = status === "open" ? "" : status === "connecting" && !this.lost ? say("connecting") : waiting(end ?? this.lost);
    this.lost = status === "open" ? undefined : end ?? this.lost;
    this.sayOver(text || (this.isPaused ? say("paused") : ""));
  }

  tellFigures() {
    const now = performance.now();
    const recent = this.delays.filter(({ at }) => now - at < 3000);
    if (recent.length < 2 || !this.stream) {
      this.figures.textContent = "";
      return;
    }
    const fps = (recent.length - 1) * 1000 / (recent[recent.length - 1].at - recent[0].at);
    const delay = recent.map((one) => one.delay).sort((a, b) => a - b)[recent.length >> 1];
    const told = say("figures", { fps: number(fps, { maximumFractionDigits: 1 }), delay: Math.round(delay) });
    this.figures.textContent = `${say("pieces", { count: this.seen?.pieces.length ?? 0 })} · ${told}`;
  }

  /** Hold the picture, or go on. */
  pause() {
    if (!this.stream) return;
    this.isPaused = !this.isPaused;
    if (this.isPaused) {
      this.video.pause();
      this.frames?.pause();
    } else {
      void this.video.play();
      this.frames?.start();
    }
    this.delays = [];
    this.sayOver(this.isPaused ? say("paused") : "");
    if (this.pauseButton) refill(this.pauseButton, say(this.isPaused ? "resume" : "pause"));
    announce(say(this.isPaused ? "paused" : "resume"));
  }

  /** Go on in a view that is shown anew: what is written here is written in its language. */
  goOn() {
    this.video.setAttribute("aria-label", say("video"));
    this.sayOver(this.isPaused ? say("paused") : "");
    if (!this.stream) {
      this.showStart();
      return;
    }
    this.again();
    this.visible();
    void this.listCameras();
  }

  /** Stop the camera, and everything that follows it. */
  stop() {
    this.close();
    this.showStart();
    this.cover.querySelector("button")?.focus();
  }

  close() {
    const was = this.isOn;
    this.turn += 1;
    stop(this.stream);
    this.stream = null;
    this.video.srcObject = null;
    this.frames?.close();
    this.socket?.close();
    this.frames = this.socket = this.seen = this.taken = null;
    this.isPaused = false;
    this.lost = undefined;
    this.delays = [];
    this.overlay.clear();
    this.letSleep();
    this.letSleep = () => {};
    this.sayOver("");
    this.tools.hidden = true;
    if (was) this.wanted.onchange?.(false);
  }

  /** Leave it for good. */
  leave() {
    this.close();
    clearInterval(this.timer);
    this.overlay.close();
    document.removeEventListener("visibilitychange", this.visible);
    navigator.mediaDevices?.removeEventListener?.("devicechange", this.changed);
  }

  async listCameras() {
    const track = this.stream?.getVideoTracks()[0];
    if (!track) return;
    const found = await cameras();
    const focused = document.activeElement?.getAttribute("data-tool");
    this.pauseButton = button(this.isPaused ? "resume" : "pause", () => this.pause());
    refill(this.tools, this.pauseButton, button("stop", () => this.stop()), found.length > 1 && this.choice(found, track),
      hasTorch(track) && torchButton(track), document.fullscreenEnabled && button("fullScreen", () => this.fill()));
    /** @type {HTMLElement | null} */ (focused ? this.tools.querySelector(`[data-tool="${focused}"]`) : null)?.focus();
  }

  /** @param {MediaDeviceInfo[]} found @param {MediaStreamTrack} track */
  choice(found, track) {
    const used = track.getSettings().deviceId;
    const options = found.map(({ deviceId, label }, index) => element(
      "option", { value: deviceId, selected: deviceId === used }, label || say("numbered", { count: index + 1 }),
    ));
    const change = (/** @type {Event} */ event) => {
      const { value } = /** @type {HTMLSelectElement} */ (event.target);
      keep("camera", value);
      void this.take(value).then(() => this.listCameras());
    };
    return element("select", { "aria-label": say("camera"), "data-tool": "camera", onchange: change }, options);
  }

  fill() {
    if (document.fullscreenElement) void document.exitFullscreen();
    else this.stage.requestFullscreen().catch(() => {});
  }
}

/** @param {"start" | "again" | "takeover" | "pause" | "resume" | "stop" | "fullScreen"} text @param {() => unknown} onclick @param {string} [kind] */
function button(text, onclick, kind = "plain") {
  return element("button", { type: "button", class: kind, "data-tool": text, onclick }, say(text));
}

/** Stop a camera; what listens to it would keep its view in memory. @param {MediaStream | null} stream */
function stop(stream) {
  for (const track of stream?.getTracks() ?? []) {
    track.onended = null;
    track.stop();
  }
}

/** @param {MediaStreamTrack} track */
function torchButton(track) {
  const made = element("button", { type: "button", class: "plain", "data-tool": "torch", "aria-pressed": "false" }, say("torch"));
  made.addEventListener("click", async () => {
    const on = made.getAttribute("aria-pressed") !== "true";
    try {
      await setTorch(track, on);
      made.setAttribute("aria-pressed", String(on));
    } catch {
      made.disabled = true;
    }
  });
  return made;
}

/** What can be done where the service has ended it: nothing, where it would do so again. @param {number | undefined} code @param {() => unknown} start */
function wayBack(code, start) {
  return code === 4401 || code === 4403 || code === 4404 ? null : button(code === 4409 ? "takeover" : "again", start, "");
}

/** @param {{code: number, reason: string}} [end] */
function waiting(end) {
  return say(end?.code === 4429 ? "many" : end?.code === 1013 ? "room" : "waiting");
}

/** @param {{code: number, reason: string}} [end] */
function ending(end) {
  const known = /** @type {Record<number, Text>} */ ({ 4401: "refused", 4403: "refused", 4404: "noTable", 4409: "taken" });
  const text = known[end?.code ?? 0];
  return text ? say(text) : say("ended", { reason: end?.reason ?? "" });
}
