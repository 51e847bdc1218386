/** A connection to the service that comes back: after a lost network, a phone that slept, a service that was restarted. */

const FIRST_WAIT = 0.5;
const LONGEST_WAIT = 10;
const SILENCE = 25;
/** How long the service may take to say hello, in seconds. */
const HELLO = 10;
const ASLEEP = 4;
const CHECK = 2;
/** Codes after which coming back is of no use: a wrong first message, no key, revoked, no table, another camera. */
const FINAL = new Set([4400, 4401, 4403, 4404, 4409]);
/** The code of what was lost without a word. */
export const LOST = 1006;

/** @typedef {"connecting" | "open" | "waiting" | "ended"} Status */

/**
 * @typedef {object} Following
 * @property {string} path below /api/v1
 * @property {() => any} hello the fields of the first message, asked anew whenever the connection comes back
 * @property {(message: any) => void} onmessage hears everything but pings
 * @property {(status: Status, end?: {code: number, reason: string}) => void} [onstatus]
 * @property {() => void} [onrefused] the service answers, but no socket to it ever opens
 */

/** Return what this device's clock says, in seconds: the clock that calls and pongs are timed by. */
export function clock() {
  return performance.now() / 1000;
}

/** What comes back by itself. How it connects, hears and is cut is for those who extend it; they `open` it. */
export class Link {
  /** @param {Following} following */
  constructor(following) {
    this.following = following;
    /** @type {Status} */
    this.status = "connecting";
    /** How well the service knows this device's clock, in seconds; null while it does not. @type {number | null} */
    this.clockError = null;
    this.wait = FIRST_WAIT;
    this.heard = clock();
    this.hiddenAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.wake = this.wake.bind(this);
    this.seen = this.seen.bind(this);
    this.gone = this.gone.bind(this);
    addEventListener("online", this.wake);
    addEventListener("offline", this.gone);
    addEventListener("pageshow", this.wake);
    document.addEventListener("visibilitychange", this.seen);
    this.drift = Date.now() / 1000 - clock();
    this.watch = setInterval(() => this.check(), CHECK * 1000);
  }

  /** Whether something can be sent now. */
  get isOpen() {
    return this.status === "open";
  }

  /** Begin to connect; what comes of it is told to `hear` and `lost`. */
  connect() {}

  /** Cut what connects, or is connected: nothing more is heard of it. */
  cut() {}

  open() {
    clearTimeout(this.timer);
    this.tell("connecting");
    this.heard = clock();
    this.connect();
  }

  /** @param {any} message */
  hear(message) {
    this.heard = clock();
    if (message.type === "hello") {
      this.wait = FIRST_WAIT;
      this.tell("open");
    }
    if (message.type === "clock") this.clockError = message.error;
    this.following.onmessage(message);
  }

  /** @param {number} code @param {string} reason */
  lost(code, reason) {
    this.drop();
    if (FINAL.has(code)) {
      this.tell("ended", { code, reason });
      this.close();
      return;
    }
    this.tell("waiting", { code, reason });
    this.timer = setTimeout(() => this.open(), 1000 * this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  /** Drop what may be dead, and come back at once. */
  wake() {
    if (this.status === "ended") return;
    this.drop();
    this.open();
  }

  /** The network is gone: do not wait until silence tells. */
  gone() {
    if (this.status !== "ended") this.lost(LOST, "");
  }

  drop() {
    this.clockError = null;
    this.cut();
  }

  /** The page was hidden, or is seen again: what slept for a while does not trust its connection, nor its clock. */
  seen() {
    if (document.hidden) this.hiddenAt = Date.now() / 1000;
    else if (this.status !== "open" || Date.now() / 1000 - this.hiddenAt > ASLEEP) this.wake();
  }

  /** Come back if the service is silent, or if this device's clock stood still: the phone has slept. */
  check() {
    const drift = Date.now() / 1000 - clock();
    const slept = Math.abs(drift - this.drift) > 1;
    this.drift = drift;
    const silent = clock() - this.heard;
    if (slept || (silent > SILENCE && this.status === "open")) this.wake();
    else if (silent > HELLO && this.status === "connecting") this.lost(LOST, "");
  }

  /** @param {Status} status @param {{code: number, reason: string}} [end] */
  tell(status, end) {
    this.status = status;
    this.following.onstatus?.(status, end);
  }

  /** End it for good. */
  close() {
    this.status = "ended";
    clearTimeout(this.timer);
    clearInterval(this.watch);
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.gone);
    removeEventListener("pageshow", this.wake);
    document.removeEventListener("visibilitychange", this.seen);
    this.drop();
  }
}
