/** A WebSocket of the service that comes back, and that notices where WebSockets do not get through. */

import { clock, Link } from "./link.js";

export { clock };

/** @typedef {import("./link.js").Status} Status */
/** @typedef {import("./link.js").Following} Following */

/** So many sockets in a row that close before their hello, although the service answers, are refused on the way. */
const MOST_REFUSED = 2;
/** Codes with which the service itself closes a socket: it has let it in. */
const OWN_CODES = { least: 4000, others: new Set([1011, 1012, 1013]) };

let areRefused = false;

/** Whether this page has found that no WebSocket gets through to the service: a later page tries them again. */
export function socketsAreRefused() {
  return areRefused;
}

/** A socket that comes back by itself, and answers pings. */
export class Socket extends Link {
  /** @param {Following} following */
  constructor(following) {
    super(following);
    /** @type {WebSocket | null} */
    this.socket = null;
    this.refused = 0;
    this.open();
  }

  /** Bytes that are not sent yet. */
  get waiting() {
    return this.socket?.bufferedAmount ?? 0;
  }

  /** @override */
  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1${this.following.path}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", ...this.following.hello() }));
    socket.onmessage = (event) => { if (socket === this.socket) this.hear(JSON.parse(event.data)); };
    socket.onclose = (event) => { if (socket === this.socket) this.lost(event.code, event.reason); };
  }

  /** @override */
  cut() {
    const old = this.socket;
    this.socket = null;
    old?.close(1000);
  }

  /** @override @param {any} message */
  hear(message) {
    if (message.type === "hello") {
      this.refused = 0;
      areRefused = false;
    }
    if (message.type !== "ping") {
      super.hear(message);
      return;
    }
    this.heard = clock();
    this.send({ type: "pong", number: message.number, at: clock() });
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

  /** @override @param {number} code @param {string} reason */
  lost(code, reason) {
    const isOwn = code >= OWN_CODES.least || OWN_CODES.others.has(code);
    const isSuspect = this.status === "connecting" && !isOwn && navigator.onLine;
    super.lost(code, reason);
    if (isSuspect) void this.suspect();
  }

  /** Ask whether it was the socket alone that did not get through. */
  async suspect() {
    const answers = await fetch("/healthz", { cache: "no-store" }).then(({ ok }) => ok, () => false);
    if (this.status === "open" || this.status === "ended") return;
    this.refused = answers ? this.refused + 1 : 0;
    if (this.refused < MOST_REFUSED) return;
    areRefused = true;
    this.following.onrefused?.();
  }
}
