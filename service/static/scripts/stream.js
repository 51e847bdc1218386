/** A table that is followed without WebSockets: its journal as server-sent events, calls and clock as requests. */

import { clock, Link, LOST } from "./link.js";
import { ask, Refusal, request } from "./service.js";

/** Readings of the clock at the beginning, and every ten seconds: each answers the one before, which was just read. */
const READINGS = { first: 5, later: 2, pause: 10000 };
/** The code of a socket for what the service says when it ends a stream, or lets none begin. @type {Record<string, number>} */
const CODES = { "no-key": 4401, "bad-key": 4401, "not-allowed": 4403, "no-table": 4404 };
/** Events that hold one thing, which messages of sockets have as a field; the others hold its fields. */
const WRAPPED = new Set(["entry", "state"]);

/** @typedef {{event: string, data: string}} ServerEvent */

/** What of a stream makes no whole event yet. */
export class Events {
  constructor() {
    this.rest = "";
  }

  /** Return the events that are whole now; comments are none. @param {string} text what has come @returns {ServerEvent[]} */
  take(text) {
    const blocks = (this.rest + text).split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.map((block) => ({ event: field(block, "event"), data: field(block, "data") })).filter(({ data }) => data);
  }
}

/** @param {string} block @param {string} name */
function field(block, name) {
  const start = `${name}: `;
  return block.split("\n").filter((line) => line.startsWith(start)).map((line) => line.slice(start.length)).join("\n");
}

/**
 * A stream that comes back by itself. It is used as a socket is: `hello` has the `key`, and `after` and `seen` as they
 * are said there; its `path` is that of the table.
 */
export class Stream extends Link {
  /** @param {import("./link.js").Following} following */
  constructor(following) {
    super(following);
    /** Cuts what is under way. */
    this.ending = new AbortController();
    this.open();
  }

  /** @override */
  connect() {
    const { signal } = this.ending = new AbortController();
    this.read(signal).catch((error) => {
      if (signal.aborted) return;
      const code = error instanceof Refusal ? CODES[error.code] : undefined;
      this.lost(code ?? LOST, error.message);
    });
  }

  /** @override */
  cut() {
    this.ending.abort();
  }

  /**
   * Hear the stream until it ends.
   * @param {AbortSignal} signal
   * @throws {Refusal | TypeError} it is refused, or lost
   */
  async read(signal) {
    const { key, after, seen = false } = this.following.hello();
    const response = await request("GET", `${this.following.path}/stream?after=${after}&seen=${seen}`, { key, signal });
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    const decoder = new TextDecoder();
    const events = new Events();
    for (let next = await reader.read(); !signal.aborted; next = await reader.read()) {
      if (next.done) throw new TypeError("the stream has ended");
      this.heard = clock();
      for (const event of events.take(decoder.decode(next.value, { stream: true }))) if (!signal.aborted) this.put(event);
    }
  }

  /** @param {ServerEvent} event */
  put({ event, data }) {
    const told = JSON.parse(data);
    if (event === "error") this.lost(CODES[told.error.code] ?? LOST, told.error.text);
    else this.hear(WRAPPED.has(event) ? { type: event, [event]: told } : { type: event, ...told });
    if (event === "hello" && (told.role === "player" || told.role === "host")) void this.keepTime(this.ending.signal);
  }

  /** Let the service measure this device's clock as long as the stream lasts. @param {AbortSignal} signal */
  async keepTime(signal) {
    for (let readings = READINGS.first; !signal.aborted; readings = READINGS.later) {
      try {
        await this.measure(readings, signal);
      } catch {
        // the stream notices what is wrong
      }
      await new Promise((done) => setTimeout(done, READINGS.pause));
    }
  }

  /** @param {number} readings @param {AbortSignal} signal */
  async measure(readings, signal) {
    const { key } = this.following.hello();
    let answers;
    for (let count = 0; count < readings; count += 1) {
      const json = { client: clock(), answers };
      const { number, error } = await ask("POST", `${this.following.path}/clock`, { key, json, signal });
      answers = number;
      if (count > 0) this.clockError = error;
    }
  }

  /**
   * Send a call; return whether it could be sent. What is answered comes as a message, as from a socket.
   * @param {{type: "call", id: number, at: number, player?: string}} message
   */
  send(message) {
    if (this.isOpen) void this.call(message);
    return this.isOpen;
  }

  /** @param {{id: number, at: number, player?: string}} call */
  async call({ id, at, player }) {
    const { key } = this.following.hello();
    // a clock that may have slept since it was measured says nothing: the call counts when it comes
    const json = { player, at: this.clockError === null ? undefined : at };
    const error = await ask("POST", `${this.following.path}/calls`, { key, json }).then(() => null, codeAndText);
    if (this.status !== "ended") this.following.onmessage({ type: "answer", id, error });
  }
}

/** @param {any} error */
function codeAndText({ status, code, message }) {
  return { code: status === 0 ? "lost" : code, text: message };
}
