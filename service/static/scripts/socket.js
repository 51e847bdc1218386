/** A socket of the service that comes back: after a lost network, a phone that slept, a service that was restarted. */

const FIRST_WAIT = 0.5;
const LONGEST_WAIT = 10;
const SILENCE = 25;
const ASLEEP = 4;
const CHECK = 2;
/** Codes after which coming back is of no use: a wrong first message, no key, revoked, no table, another camera. */
const FINAL = new Set([4400, 4401, 4403, 4404, 4409]);

/** @typedef {"connecting" | "open" | "waiting" | "ended"} Status */

/**
 * @typedef {object} Following
 * @property {string} path below /api/v1
 * @property {() => object} hello the fields of the first message, asked anew whenever the socket comes back
 * @property {(message: any) => void} onmessage hears everything but pings
 * @property {(status: Status, end?: {code: number, reason: string}) => void} [onstatus]
 */

/** Return what this device's clock says, in seconds: the clock that calls and pongs are timed by. */
export function clock() {
  return performance.now() / 1000;
}

/** A socket that comes back by itself, and answers pings. */
export class Socket {
  /** @param {Following} following */
  constructor(following) {
    this.following = following;
    /** @type {Status} */
    this.status = "connecting";
    /** How well the service knows this device's clock, in seconds; null while it does not. @type {number | null} */
    this.clockError = null;
    /** @type {WebSocket | null} */
    this.socket = null;
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
    this.open();
  }

  /** Bytes that are not sent yet. */
  get waiting() {
    return this.socket?.bufferedAmount ?? 0;
  }

  /** Whether something can be sent now. */
  get isOpen() {
    return this.status === "open";
  }

  open() {
    clearTimeout(this.timer);
    this.tell("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1${this.following.path}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.heard = clock();
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", ...this.following.hello() }));
    socket.onmessage = (event) => { if (socket === this.socket) this.hear(JSON.parse(event.data)); };
    socket.onclose = (event) => { if (socket === this.socket) this.lost(event.code, event.reason); };
  }

  /** @param {any} message */
  hear(message) {
    this.heard = clock();
    if (message.type === "ping") {
      this.send({ type: "pong", number: message.number, at: clock() });
      return;
    }
    if (message.type === "hello") {
      this.wait = FIRST_WAIT;
      this.tell("open");
    }
    if (message.type === "clock") this.clockError = message.error;
    this.following.onmessage(message);
  }

  /**
   * Send a message; return whether it could be sent.
   * @param {object | ArrayBuffer | Blob} message an object is sent as JSON
   */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    const isBinary = message instanceof Blob || message instanceof ArrayBuffer;
    this.socket.send(isBinary ? message : JSON.stringify(message));
    return true;
  }

  /** @param {number} code @param {string} reason */
  lost(code, reason) {
    this.socket = null;
    this.clockError = null;
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
    if (this.status === "ended") return;
    this.drop();
    this.lost(1006, "");
  }

  drop() {
    const old = this.socket;
    this.socket = null;
    this.clockError = null;
    old?.close(1000);
  }

  /** The page was hidden, or is seen again: what slept for a while does not trust its socket, nor its clock. */
  seen() {
    if (document.hidden) this.hiddenAt = Date.now() / 1000;
    else if (this.status !== "open" || Date.now() / 1000 - this.hiddenAt > ASLEEP) this.wake();
  }

  /** Come back if the service is silent, or if this device's clock stood still: the phone has slept. */
  check() {
    const drift = Date.now() / 1000 - clock();
    const slept = Math.abs(drift - this.drift) > 1;
    this.drift = drift;
    const isSilent = clock() - this.heard > SILENCE;
    if (slept || (isSilent && this.status !== "waiting")) this.wake();
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
