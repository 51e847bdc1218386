/** A table as this device follows it: how it stands, what has happened, and what people do at it. */

import { language } from "../i18n.js";
import { clock } from "../link.js";
import { ask, once, Refusal, request } from "../service.js";
import { Socket, socketsAreRefused } from "../socket.js";
import { Stream } from "../stream.js";

/** @typedef {import("../link.js").Status} Status */
/** @typedef {{name: string, score: number, connected: boolean, clock_error: number | null, [more: string]: any}} Player */

/**
 * How a table stands: TableState of the HTTP interface.
 * @typedef {object} State
 * @property {string} id
 * @property {string | null} name
 * @property {string} game
 * @property {string} title
 * @property {Player[]} players
 * @property {number} time
 * @property {number} last
 * @property {number} events
 * @property {string | null} caller
 * @property {string | null} turn
 * @property {number | null} round
 * @property {string | null} master who leads the round and does not play
 * @property {{players: string[], times: Record<string, number>} | null} tie
 * @property {{number: number, text: string, choices: {text: string, players: string[], points: Record<string, number>}[]} | null} oddity
 * @property {{due: {task: string, count: number, player: string | null, optional: boolean}[], moves: string[]}} legal
 * @property {{name: string, at: number[] | null, stands_for?: string | null}[]} layout
 * @property {number} pile how many pieces are left in the pile or the pouch
 * @property {Record<string, string[]> | null} hands
 * @property {{over: boolean, scores: Record<string, number>, winners: string[], losers: string[]} | null} outcome
 * @property {string} hints
 * @property {number | null} call_limit
 * @property {{connected: boolean, fps: number | null, scene: string | null}} camera
 */

/**
 * An entry of the journal: one thing that was told. Fields that say nothing are missing.
 * @typedef {object} Entry
 * @property {number} number
 * @property {string} at
 * @property {"event" | "oddity" | "resolved" | "tie" | "correction" | "message"} kind
 * @property {number} t
 * @property {string} text
 * @property {number} [event]
 * @property {string} [type]
 * @property {string} [player]
 * @property {boolean} [ok]
 * @property {boolean} [judged]
 * @property {string} [clause]
 * @property {Record<string, number>} [points]
 * @property {Record<string, number>} [scores]
 * @property {boolean} [sure]
 * @property {string[]} [pieces]
 * @property {number[][]} [places] of the pieces, on a board
 * @property {string[]} [named] what the Wilds among them stand for
 * @property {string[]} [lines] the verdict, feature by feature
 * @property {any[]} [changes]
 * @property {Record<string, number>} [times]
 */

/**
 * @typedef {object} SeenPiece
 * @property {number} id
 * @property {string} name
 * @property {string} label
 * @property {string | null} doubt
 * @property {[number, number][]} quad
 * @property {number[] | null} cell
 * @property {boolean} hidden
 */
/** @typedef {{time: number, scene: string, settled: boolean, size: [number, number], pieces: SeenPiece[], advice?: string | null}} Seen */
/** @typedef {"state" | "entry" | "seen" | "status"} News what has changed; an entry comes with the news */
/** @typedef {(news: News, entry?: Entry) => void} Listener */

const HISTORY = 300;
const PATIENCE = 8000;

/** A table that is followed with one key. Make it with `TableSession.open`. */
export class TableSession {
  /**
   * Open a table, and follow it.
   * @param {{id: string, key: string, seen?: boolean}} how `seen` asks for what the table's camera sees
   * @returns {Promise<TableSession>}
   * @throws {Refusal} the table is gone, the key does not open it, or there is no answer
   */
  static async open(how) {
    const state = await ask("GET", `/tables/${how.id}`, { key: how.key });
    const { labels } = await once(`/games/${state.game}/labels?language=${language()}`);
    const table = new TableSession(how, state, labels);
    await table.started;
    return table;
  }

  /**
   * @param {{id: string, key: string, seen?: boolean}} how
   * @param {State} state
   * @param {Record<string, string>} labels
   */
  constructor({ id, key, seen = false }, state, labels) {
    this.id = id;
    this.key = key;
    this.state = state;
    this.labels = labels;
    /** @type {Entry[]} The newest entries of the journal, oldest first. */
    this.entries = [];
    /** @type {"host" | "player" | "spectator" | "camera" | null} */
    this.role = null;
    /** @type {string | null} Who sits at this device. */
    this.player = null;
    /** @type {Seen | null} What the camera saw last. */
    this.seen = null;
    /** @type {{code: number, reason: string} | null} Why it has ended for good. */
    this.end = null;
    /** @type {Status} */
    this.status = "connecting";
    this.last = Math.max(0, state.last - HISTORY);
    /** What the table's clock said, and what this device's said then. */
    this.timed = { table: state.time, here: clock() };
    /** @type {Set<Listener>} */
    this.listeners = new Set();
    this.asked = 0;
    /** @type {Promise<any> | undefined} */
    this.boardFile = undefined;
    /** What is asked for and not answered yet. @type {Map<string, Promise<Entry[]>>} */
    this.changing = new Map();
    /** @type {Map<number, (answer: any) => void>} */
    this.answers = new Map();
    /** @type {() => void} */
    this.begin = () => undefined;
    /** Done when the service has said hello, or that it never will. @type {Promise<void>} */
    this.started = new Promise((done) => { this.begin = done; });
    setTimeout(this.begin, PATIENCE);
    /** @type {import("../link.js").Following} */
    const following = {
      path: `/tables/${id}`,
      hello: () => ({ key, after: this.last, seen }),
      onmessage: (message) => this.hear(message),
      onstatus: (status, end) => this.changed(status, end),
    };
    this.link = socketsAreRefused() ? new Stream(following) : this.socket(following);
  }

  /** Follow over a socket, and without one where none gets through. @param {import("../link.js").Following} following @returns {Socket | Stream} */
  socket(following) {
    const onrefused = () => {
      this.link.close();
      this.link = new Stream(following);
    };
    return new Socket({ ...following, path: `${following.path}/socket`, onrefused });
  }

  /** What the table's clock says now, in seconds. */
  get time() {
    return this.timed.table + clock() - this.timed.here;
  }

  /** Return a piece's label in the language of the page. @param {string} name */
  label(name) {
    return this.labels[name] ?? name;
  }

  /** Listen to what changes; the answer ends that. @param {Listener} listener @returns {() => void} */
  onchange(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** @param {News} news @param {Entry} [entry] */
  tell(news, entry) {
    for (const listener of [...this.listeners]) listener(news, entry);
  }

  /** @param {any} message */
  hear(message) {
    if (message.type === "hello") {
      this.role = message.role;
      this.player = message.player;
      this.stands(message.state ?? null);
      this.begin();
    } else if (message.type === "entry") this.add(message.entry);
    else if (message.type === "state") this.stands(message.state);
    else if (message.type === "seen") {
      this.seen = message;
      this.tell("seen");
    } else if (message.type === "answer") {
      this.answers.get(message.id)?.(message);
      this.answers.delete(message.id);
    }
  }

  /** @param {Entry} entry */
  add(entry) {
    if (entry.number <= this.last) return;
    this.last = entry.number;
    this.entries.push(entry);
    if (this.entries.length > 2 * HISTORY) this.entries.splice(0, HISTORY);
    this.tell("entry", entry);
  }

  /** @param {State | null} state */
  stands(state) {
    if (state === null || state.last < this.state.last) return;
    this.state = state;
    this.timed = { table: state.time, here: clock() };
    if (!state.camera.connected) this.seen = null;
    this.tell("state");
  }

  /** @param {Status} status @param {{code: number, reason: string}} [end] */
  changed(status, end) {
    this.status = status;
    if (status === "ended" && end) {
      this.end = end;
      this.begin();
    }
    if (status !== "open") {
      for (const answer of this.answers.values()) answer({ error: { code: "lost", text: "" } });
      this.answers.clear();
    }
    this.tell("status");
  }

  /**
   * Call, at the moment of the press.
   * @param {string} [player] for whom; only a host says it
   * @param {number} [at] this device's clock at the press
   * @throws {Refusal} it cannot count, or the service cannot be reached
   */
  async call(player, at = clock()) {
    const id = ++this.asked;
    if (this.link.send({ type: "call", id, at, ...(player ? { player } : {}) })) {
      const answer = await new Promise((done) => {
        this.answers.set(id, done);
        setTimeout(() => done({ error: { code: "lost", text: "" } }), PATIENCE);
      });
      if (!answer.error) return;
      if (answer.error.code !== "lost") throw new Refusal(answer.error.code, answer.error.text, 409);
    }
    throw new Refusal("unreachable", "", 0);
  }

  /**
   * Tell what people do: an event as in a record.
   * @param {{type: string, [field: string]: unknown}} event
   * @returns {Promise<Entry[]>} what came of it
   * @throws {Refusal} it is no event, or the service cannot be reached
   */
  send(event) {
    return this.change("/events", event);
  }

  /**
   * Ask for a change below the table's address, such as "/undo". What is on its way is not asked for once more: people
   * press twice where answers are slow.
   * @param {string} path
   * @param {object} [body]
   * @param {{onlyNow?: boolean}} [how] `onlyNow`: nothing is done if the table has moved on meanwhile
   * @returns {Promise<Entry[]>}
   * @throws {Refusal} it is refused
   */
  change(path, body = {}, { onlyNow = false } = {}) {
    const name = `${path} ${JSON.stringify(body)}`;
    const before = this.changing.get(name);
    if (before) return before;
    const last = onlyNow ? this.state.last : undefined;
    const made = this.take(ask("POST", `/tables/${this.id}${path}`, { key: this.key, json: body, last }))
      .finally(() => this.changing.delete(name));
    this.changing.set(name, made);
    return made;
  }

  /** @param {Promise<{entries: Entry[], state: State}>} asked @returns {Promise<Entry[]>} */
  async take(asked) {
    const answer = await asked;
    for (const entry of answer.entries) if (entry.number === this.last + 1) this.add(entry);
    this.stands(answer.state);
    return answer.entries;
  }

  /** Ask below the table's address. @param {string} method @param {string} path @param {object} [json] @returns {Promise<any>} */
  ask(method, path, json) {
    return ask(method, `/tables/${this.id}${path}`, { key: this.key, json });
  }

  /** Return what lies at an address of the table, such as a picture of a dispute. @param {string} path @returns {Promise<Blob>} */
  async fetch(path) {
    return (await request("GET", `/tables/${this.id}${path}`, { key: this.key })).blob();
  }

  /** Return the board file of the table, null if it is played without a board. @returns {Promise<any>} */
  async board() {
    this.boardFile = this.boardFile ?? this.ask("GET", "/board").catch((error) => {
      this.boardFile = undefined;
      if (error instanceof Refusal && error.code === "no-board") return null;
      throw error;
    });
    return this.boardFile;
  }

  /** Follow it no longer. */
  close() {
    this.listeners.clear();
    this.link.close();
    this.status = "ended";
  }
}
