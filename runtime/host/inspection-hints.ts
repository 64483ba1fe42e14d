// What a host tells inspectors of its commits.
//
// Owns:     who watches (each for a limited time), what is still to be told, the numbers of the hints.
// Owns not: the log; a hint is a copy of what was committed, and may be lost.
//
//   1  Nobody watches: one comparison per commit.
//   2  Hints of a project leave at most ten times a second with at most MAX_ROWS transitions; the others are counted.
//   3  Hints of a project are numbered, so that a lost one is noticed; a watcher that announces itself is told the number.
//   4  Nothing waits for a watcher.

import type { Json, TransitionRow } from '#contracts/ports/actor-store.ts';
import type { HostParts } from './host-parts.ts';
import { subjects } from './subjects.ts';

const FLUSH_MS = 100;
const MAX_ROWS = 128;
const MAX_STATE_CHARACTERS = 1_000;

/** How a watcher announces itself, again and again. */
export type WatchNotice = { readonly project: string; readonly address: string | null; readonly ttlMs: number };

/** `rows`: address, seq, index, message id, sender, event type, outcome, state, time. */
export type HintRow = readonly [string, number, number, string, string, string, TransitionRow['outcome'], Json, number];
export type HintMessage = {
  readonly worker: string;
  readonly number: number;
  readonly skipped: number;
  readonly rows: readonly HintRow[];
};

export type Committed = {
  readonly project: string;
  readonly address: string;
  readonly seq: number;
  readonly transitions: readonly TransitionRow[];
};

type Watched = {
  /** The whole project is watched until then. */
  untilMs: number;
  readonly actors: Map<string, number>;
  rows: HintRow[];
  skipped: number;
  number: number;
  /** Newest commit of watched actors that was not told yet. */
  readonly newest: Map<string, number>;
};

export class InspectionHints {
  readonly #parts: HostParts;
  readonly #worker: string;
  readonly #watched = new Map<string, Watched>();
  #unsubscribe: () => void = () => {};
  #cancelFlush: (() => void) | null = null;

  constructor(parts: HostParts) {
    this.#parts = parts;
    // a restarted worker of the same name counts anew
    this.#worker = `${parts.workerId}:${parts.clock.nowMs()}`;
  }

  start(): void {
    this.#unsubscribe = this.#parts.bus.subscribe(subjects.watch, (payload) => this.#heed(payload));
  }

  stop(): void {
    this.#unsubscribe();
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    this.#watched.clear();
  }

  note(committed: Committed): void {
    if (this.#watched.size === 0) return;
    const watched = this.#watched.get(committed.project);
    if (watched === undefined) return;
    const nowMs = this.#parts.clock.nowMs();
    const { address, seq, transitions } = committed;
    if ((watched.actors.get(address) ?? 0) > nowMs) watched.newest.set(address, seq);
    if (watched.untilMs > nowMs) collect(watched, address, seq, transitions, nowMs);
    // also when the last watcher is gone: the flush forgets it
    this.#cancelFlush ??= this.#parts.clock.after(FLUSH_MS, () => this.#flush());
  }

  #heed(payload: string): void {
    const { project, address, ttlMs } = JSON.parse(payload) as WatchNotice;
    let watched = this.#watched.get(project);
    if (watched === undefined) {
      watched = { untilMs: 0, actors: new Map(), rows: [], skipped: 0, number: 0, newest: new Map() };
      this.#watched.set(project, watched);
    }
    const untilMs = this.#parts.clock.nowMs() + ttlMs;
    if (address !== null) watched.actors.set(address, untilMs);
    else {
      watched.untilMs = untilMs;
      this.#tell(project, watched);
    }
  }

  #flush(): void {
    this.#cancelFlush = null;
    const nowMs = this.#parts.clock.nowMs();
    for (const [project, watched] of this.#watched) {
      for (const [address, seq] of watched.newest) {
        this.#parts.bus.publish(subjects.inspectActor(project, address), String(seq));
      }
      watched.newest.clear();
      if (watched.rows.length > 0 || watched.skipped > 0) this.#tell(project, watched);
      for (const [address, untilMs] of watched.actors) if (untilMs <= nowMs) watched.actors.delete(address);
      if (watched.actors.size === 0 && watched.untilMs <= nowMs) this.#watched.delete(project);
    }
  }

  #tell(project: string, watched: Watched): void {
    const { rows, skipped } = watched;
    if (rows.length > 0 || skipped > 0) watched.number += 1;
    const message: HintMessage = { worker: this.#worker, number: watched.number, skipped, rows };
    watched.rows = [];
    watched.skipped = 0;
    this.#parts.bus.publish(subjects.inspect(project), JSON.stringify(message));
  }
}

function collect(
  watched: Watched,
  address: string,
  seq: number,
  transitions: readonly TransitionRow[],
  nowMs: number,
): void {
  for (const row of transitions) {
    if (watched.rows.length >= MAX_ROWS) {
      watched.skipped += 1;
      continue;
    }
    const { index, messageId, from, eventType, outcome } = row;
    watched.rows.push([address, seq, index, messageId, from, eventType, outcome, shortState(row.stateAfter), nowMs]);
  }
}

/** A state value is a handful of names; one that is not stays in the log. */
function shortState(state: Json): Json {
  if (typeof state === 'string' || state === null) return state;
  return JSON.stringify(state).length > MAX_STATE_CHARACTERS ? null : state;
}
