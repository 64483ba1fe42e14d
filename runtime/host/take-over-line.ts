// Actors of shards that came to this worker just now, with the work that waited for them, come into memory in portions.
//
// Owns:     which shards are new here, the actors that stand in line.
// Owns not: reading rows (actor-loader), turns.
//
//   LS9  While other actors are at work here, portions are small and the worker rests three times as long as each took, so that
//        a herd takes a quarter of its time. Without others there is no rest. Actors of other shards, and those with operator
//        mail, do not stand in line.

import type { HostParts } from './host-parts.ts';
import { hasWork, type Resident } from './residents.ts';

const PORTION = 16;
const REST_SHARE = 3;
/** When nobody else is at work. */
const LARGE_PORTION = 256;
/** So long after their last commit others count as being at work. */
const OTHERS_MS = 1000;
/** How often a portion is looked at. */
const LOOK_MS = 4;
/** A portion with an actor that never rests is over after this time. */
const LONGEST_MS = 500;
const LONGEST_REST_MS = 200;
/** A shard is new as long as the line is not empty, and so much longer: what waits is found by polls. */
const NEW_FOR_MS = 10_000;
/** Mail stays in the store while so many stand in line. */
const LONG_LINE = 1024;

export type LineCallbacks = {
  readonly load: (residents: readonly Resident[]) => void;
  /** How many turns of this worker were committed so far. */
  readonly committed: () => number;
};

export class TakeOverLine {
  readonly #parts: HostParts;
  readonly #callbacks: LineCallbacks;
  readonly #newShards = new Set<number>();
  readonly #line = new Set<Resident>();
  #newUntilMs = 0;
  /** Loaded and not yet settled, since `startedAtMs`. */
  #portion: Resident[] = [];
  #startedAtMs = 0;
  #restUntilMs = 0;
  #othersUntilMs = 0;
  #committed = 0;
  #hasAlarm = false;
  #stopped = false;

  constructor(parts: HostParts, callbacks: LineCallbacks) {
    this.#parts = parts;
    this.#callbacks = callbacks;
  }

  stop(): void {
    this.#stopped = true;
  }

  get isLong(): boolean {
    return this.#line.size >= LONG_LINE;
  }

  acquired(shards: readonly number[]): void {
    for (const shard of shards) this.#newShards.add(shard);
    const nowMs = this.#parts.clock.nowMs();
    this.#newUntilMs = nowMs + NEW_FOR_MS;
    // until commits tell
    this.#othersUntilMs = nowMs + OTHERS_MS;
  }

  /** They have work and are not in memory: loads them, now or when their turn in line comes. */
  admit(residents: readonly Resident[]): void {
    if (this.#newShards.size === 0) return this.#callbacks.load(residents);
    const others: Resident[] = [];
    for (const resident of residents) {
      if (this.#newShards.has(resident.shard) && resident.operatorQueue.length === 0) this.#line.add(resident);
      else {
        this.#line.delete(resident);
        others.push(resident);
      }
    }
    if (others.length > 0) this.#callbacks.load(others);
    this.#move();
  }

  #move(): void {
    if (this.#stopped) return;
    const nowMs = this.#parts.clock.nowMs();
    if (this.#portion.length > 0 && this.#isPortionOver(nowMs)) this.#endPortion(nowMs);
    if (nowMs >= this.#restUntilMs) this.#fillPortion(nowMs);
    if (this.#portion.length > 0) this.#setAlarm(LOOK_MS);
    else if (this.#line.size > 0) this.#setAlarm(Math.max(LOOK_MS, this.#restUntilMs - nowMs));
    else if (nowMs > this.#newUntilMs) this.#newShards.clear();
  }

  #isPortionOver(nowMs: number): boolean {
    return nowMs - this.#startedAtMs >= LONGEST_MS || this.#portion.every(isSettled);
  }

  #endPortion(nowMs: number): void {
    const committed = this.#callbacks.committed();
    // more than the portion's own: others are at work
    if (committed - this.#committed > this.#portion.length) this.#othersUntilMs = nowMs + OTHERS_MS;
    this.#committed = committed;
    const wasFull = this.#portion.length >= PORTION;
    if (wasFull) this.#newUntilMs = nowMs + NEW_FOR_MS;
    if (wasFull && nowMs < this.#othersUntilMs) {
      this.#restUntilMs = nowMs + Math.min(LONGEST_REST_MS, (nowMs - this.#startedAtMs) * REST_SHARE);
    }
    this.#portion = [];
  }

  #fillPortion(nowMs: number): void {
    if (this.#portion.length === 0) this.#startedAtMs = nowMs;
    const most = nowMs < this.#othersUntilMs ? PORTION : LARGE_PORTION;
    const added: Resident[] = [];
    for (const resident of this.#line) {
      if (this.#portion.length + added.length >= most) break;
      this.#line.delete(resident);
      if (!resident.isGone && resident.phase === 'idle' && resident.state === null) added.push(resident);
    }
    if (added.length === 0) return;
    this.#portion.push(...added);
    this.#callbacks.load(added);
  }

  #setAlarm(waitMs: number): void {
    if (this.#hasAlarm) return;
    this.#hasAlarm = true;
    this.#parts.clock.after(waitMs, () => {
      this.#hasAlarm = false;
      this.#move();
    });
  }
}

function isSettled(resident: Resident): boolean {
  return resident.isGone || resident.phase === 'parked' || (resident.phase === 'idle' && !hasWork(resident));
}
