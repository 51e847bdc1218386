/** Sends pictures of a video to the service: the newest one only, at the rate that it grants, as large as the way there can take. */

/** @typedef {import("./socket.js").Socket} Socket */
/** @typedef {{fps: number, width: number, bytes: number}} Rate what the service can take */
/** @typedef {{taken: number, sent: number}} Sent when a picture was taken and sent, in milliseconds */

/** Qualities and parts of the width, the best first. */
const STEPS = [
  { quality: 0.8, part: 1 }, { quality: 0.65, part: 1 }, { quality: 0.65, part: 0.75 }, { quality: 0.5, part: 0.625 },
];
/** Milliseconds after which an answer is not waited for any more. */
const LOST = 3000;
/** A way that is slower than this is given less, one that was quicker so often is given more again. */
const SLOW = { milliseconds: 700, waiting: 200000, encoding: 120 };
const QUICK = { milliseconds: 350, encoding: 60, times: 25 };
/** How much sooner than the rate says a picture may be sent: cameras do not keep step with it. */
const EARLY = 12;

/** Chooses how good pictures are, by what became of those before. */
export class Pace {
  constructor() {
    this.step = 0;
    this.quick = 0;
  }

  get quality() {
    return STEPS[this.step].quality;
  }

  /** @param {number} width @returns {number} how much of it is sent */
  width(width) {
    return Math.round(width * STEPS[this.step].part);
  }

  /**
   * Learn from a picture.
   * @param {{trip: number, encoding: number, waiting: number}} taken milliseconds to its answer and for making it, bytes
   *   that still wait
   */
  learn({ trip, encoding, waiting }) {
    if (trip > SLOW.milliseconds || encoding > SLOW.encoding || waiting > SLOW.waiting) this.less();
    else if (trip < QUICK.milliseconds && encoding < QUICK.encoding) this.well();
    else this.quick = 0;
  }

  less() {
    this.step = Math.min(STEPS.length - 1, this.step + 1);
    this.quick = 0;
  }

  well() {
    this.quick += 1;
    if (this.quick < QUICK.times || this.step === 0) return;
    this.step -= 1;
    this.quick = 0;
  }
}

/** Makes JPEGs of a video: in a worker where the browser can, else here. */
class Encoder {
  constructor() {
    /** @type {((made: ArrayBuffer | string) => void) | undefined} */
    this.made = undefined;
    this.worker = canWork() ? new Worker("/static/scripts/frames-worker.js") : null;
    if (this.worker) {
      this.worker.onmessage = ({ data }) => this.made?.(data);
      this.worker.onerror = () => this.giveUp("the worker has failed");
    }
    this.canvas = document.createElement("canvas");
  }

  /**
   * @param {HTMLVideoElement} video
   * @param {{width: number, height: number, quality: number}} wanted
   * @returns {Promise<ArrayBuffer>}
   */
  async encode(video, wanted) {
    if (!this.worker) return this.encodeHere(video, wanted);
    const picture = pictureOf(video) ?? await createImageBitmap(video);
    const made = await new Promise((/** @type {(made: ArrayBuffer | string) => void} */ resolve) => {
      this.made = resolve;
      this.worker?.postMessage({ picture, ...wanted }, [picture]);
    });
    if (made instanceof ArrayBuffer) return made;
    this.giveUp(made);
    return this.encodeHere(video, wanted);
  }

  /** This browser promised more than it can do: go on without a worker. @param {string} reason */
  giveUp(reason) {
    this.close();
    this.worker = null;
    this.made?.(reason);
  }

  /** @param {HTMLVideoElement} video @param {{width: number, height: number, quality: number}} wanted @returns {Promise<ArrayBuffer>} */
  async encodeHere(video, { width, height, quality }) {
    const { canvas } = this;
    Object.assign(canvas, { width, height });
    canvas.getContext("2d", { alpha: false })?.drawImage(video, 0, 0, width, height);
    const blob = await new Promise((/** @type {(made: Blob | null) => void} */ resolve) => {
      canvas.toBlob(resolve, "image/jpeg", quality);
    });
    if (!blob) throw new Error("no picture");
    return blob.arrayBuffer();
  }

  /** The worker ends itself: a picture on its way to it would be lost without being closed. */
  close() {
    this.worker?.postMessage(null);
  }
}

function canWork() {
  return typeof OffscreenCanvas === "function" && "convertToBlob" in OffscreenCanvas.prototype && typeof createImageBitmap === "function";
}

/**
 * Return the picture that a video shows without copying it, where the browser can: a copy holds up this thread for
 * milliseconds. Some browsers forget how the camera is turned; then it is copied after all.
 * @param {HTMLVideoElement} video
 * @returns {VideoFrame | null}
 */
function pictureOf(video) {
  if (typeof VideoFrame !== "function") return null;
  try {
    const picture = new VideoFrame(video);
    if (picture.displayWidth === video.videoWidth && picture.displayHeight === video.videoHeight) return picture;
    picture.close();
  } catch {
    // some browsers have it for videos of files only
  }
  return null;
}

/**
 * Call back when the video shows another picture, with the time of that picture in milliseconds.
 * @param {HTMLVideoElement} video
 * @param {(time: number) => void} callback
 */
function onPicture(video, callback) {
  if (!video.requestVideoFrameCallback) {
    requestAnimationFrame(callback);
    return;
  }
  video.requestVideoFrameCallback((now, { captureTime, presentationTime }) => {
    const taken = captureTime ?? presentationTime;
    const here = performance.now();
    callback(taken <= here && taken > here - 1000 ? taken : now);
  });
}

/** Sends pictures of a video over a socket of a camera. */
export class Frames {
  /** @param {HTMLVideoElement} video @param {Socket} socket */
  constructor(video, socket) {
    this.video = video;
    this.socket = socket;
    this.encoder = new Encoder();
    this.pace = new Pace();
    /** @type {Rate | null} */
    this.rate = null;
    /** Pictures that are not answered, the oldest first. @type {Sent[]} */
    this.sent = [];
    this.isBusy = false;
    this.isOn = false;
    this.isWatching = false;
    this.next = 0;
    this.encoding = 0;
    this.trip = 0;
    /** By how much the clock of the service differs, in seconds. @type {number | null} */
    this.offset = null;
  }

  start() {
    this.isOn = true;
    this.watch();
  }

  /** Send no more pictures until `start`. */
  pause() {
    this.isOn = false;
    this.sent = [];
  }

  /** End it for good. */
  close() {
    this.pause();
    this.encoder.close();
  }

  /** The socket is new: what was sent over the old one is not answered any more. */
  reset() {
    this.rate = null;
    this.offset = null;
    this.sent = [];
  }

  /**
   * Hear what the service says to a camera.
   * @param {any} message
   * @returns {number | null} for what was seen: when that picture was taken, in milliseconds
   */
  hear(message) {
    if (message.type === "rate") this.rate = message;
    else if (message.type === "clock") this.offset = message.offset;
    else if (message.type === "error") this.sent.shift();
    else if (message.type === "seen") return this.answered(message.time);
    return null;
  }

  /** @param {number} time of the picture, by the clock of the service @returns {number | null} */
  answered(time) {
    const { sent, offset } = this;
    const away = (/** @type {Sent} */ one) => Math.abs(one.taken / 1000 - time - /** @type {number} */ (offset));
    const found = offset === null ? sent[0] : sent.reduce((best, one) => (away(one) < away(best) ? one : best), sent[0]);
    if (!found) return null;
    this.sent = sent.slice(sent.indexOf(found) + 1);
    this.trip = performance.now() - found.sent;
    this.pace.learn({ trip: this.trip, encoding: this.encoding, waiting: this.socket.waiting });
    return found.taken;
  }

  watch() {
    if (this.isWatching || !this.isOn) return;
    this.isWatching = true;
    onPicture(this.video, (time) => {
      this.isWatching = false;
      if (this.mayBeSent()) void this.send(time);
      this.watch();
    });
  }

  /** Whether a picture may go: it is time, those before it were answered, and nothing piles up. */
  mayBeSent() {
    const now = performance.now();
    this.sent = this.sent.filter(({ sent }) => now - sent < LOST);
    if (!this.rate || !this.socket.isOpen || document.hidden || this.isBusy || this.video.videoWidth === 0) return false;
    const step = 1000 / this.rate.fps;
    const most = this.trip > 1.5 * step ? 2 : 1;
    return now >= this.next - EARLY && this.sent.length < most && this.socket.waiting < SLOW.waiting;
  }

  /** @param {number} time */
  async send(time) {
    const rate = /** @type {Rate} */ (this.rate);
    const begun = performance.now();
    this.next = Math.max(this.next, begun - EARLY) + 1000 / rate.fps;
    this.isBusy = true;
    try {
      const { videoWidth, videoHeight } = this.video;
      const width = this.pace.width(Math.min(rate.width, videoWidth));
      const height = Math.round(width * videoHeight / videoWidth);
      const jpeg = await this.encoder.encode(this.video, { width, height, quality: this.pace.quality });
      this.encoding = performance.now() - begun;
      if (jpeg.byteLength > rate.bytes) this.pace.less();
      else this.put(jpeg, time);
    } catch {
      // the camera has just gone: what follows a lost track says so
    } finally {
      this.isBusy = false;
    }
  }

  /** @param {ArrayBuffer} jpeg @param {number} time */
  put(jpeg, time) {
    if (!this.isOn || !this.socket.send({ type: "frame", at: time / 1000 })) return;
    this.socket.send(jpeg);
    this.sent.push({ taken: time, sent: performance.now() });
  }
}
