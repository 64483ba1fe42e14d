// Durable timers: rows of the store, fired as input of a step.
//
// Owns:     when to look, which firings are under way.
// Owns not: the rows (the commit of the transition deletes them), stale firings (the step drops them).
//
//   TM1  A timer fires once; one that came due while nobody ran fires at once.
//   TM2  A firing is lost with its worker and found again by the next one, because only a commit deletes the row.

import type { DueTimer, TimerRow } from '#contracts/ports/actor-store.ts';
import type { StepInput } from '#runtime/core/actor-state.ts';
import { messageIdOf } from '#runtime/core/step.ts';
import type { HostParts } from './host-parts.ts';
import type { Leases } from './leases.ts';

export class Timers {
  readonly #parts: HostParts;
  readonly #leases: Leases;
  readonly #fire: (due: DueTimer) => void;
  /** Firings under way, by actor and occurrence, with their shard. */
  readonly #underWay = new Map<string, number>();
  #armedForMs: number | null = null;
  #cancel: (() => void) | null = null;
  #isReading = false;
  #readAgain = false;
  #stopped = false;
  fired = 0;

  constructor(parts: HostParts, leases: Leases, fire: (due: DueTimer) => void) {
    this.#parts = parts;
    this.#leases = leases;
    this.#fire = fire;
  }

  get isBusy(): boolean {
    return this.#isReading;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  /** A commit of an actor landed, or a firing of it turned out stale. */
  settled(residentKey: string, inputs: readonly StepInput[], set: readonly TimerRow[]): void {
    let ended = false;
    for (const input of inputs) {
      if (input.kind === 'timer') ended = this.#underWay.delete(`${residentKey}\n${messageIdOf(input)}`) || ended;
    }
    for (const timer of set) this.#arm(timer.dueAtMs);
    if (ended && this.#underWay.size === 0) void this.look();
  }

  /**
   * The actor in memory has no such timer. Most often its commit deleted the row meanwhile; where the row stays, memory is not
   * true any more, and looking again at once would only find it again.
   */
  skipped(residentKey: string, input: StepInput): void {
    this.#underWay.delete(`${residentKey}\n${messageIdOf(input)}`);
    this.#leases.doubt();
  }

  lost(shards: readonly number[]): void {
    const gone = new Set(shards);
    for (const [key, shard] of this.#underWay) if (gone.has(shard)) this.#underWay.delete(key);
  }

  /** Fires what is due and arms for what comes next. */
  async look(): Promise<void> {
    if (this.#stopped) return;
    if (this.#isReading) {
      this.#readAgain = true;
      return;
    }
    this.#isReading = true;
    try {
      await this.#read();
    } catch (cause) {
      this.#parts.logger.warn('reading timers failed', { cause: String(cause) });
    } finally {
      this.#isReading = false;
    }
    if (!this.#readAgain) return;
    this.#readAgain = false;
    await this.look();
  }

  async #read(): Promise<void> {
    const { store, clock, limits } = this.#parts;
    const shards = this.#leases.held().filter((shard) => this.#leases.isWorking(shard));
    if (shards.length === 0) return;
    const rows = await store.dueTimers(shards, clock.nowMs(), limits.firedTimers + this.#underWay.size);
    for (const due of rows) this.#start(due);
    const next = await store.nextTimerDueAtMs(shards);
    // rows under way are still there; their commit looks again
    if (next !== null && next > clock.nowMs()) this.#arm(next);
  }

  #start(due: DueTimer): void {
    const { project, address, shard, timer } = due;
    const key = `${project}\n${address}\ntimer:${timer.timerId}:${timer.occurrence}`;
    if (this.#underWay.has(key) || !this.#leases.isWorking(shard)) return;
    this.#underWay.set(key, shard);
    this.fired += 1;
    this.#fire(due);
  }

  #arm(dueAtMs: number): void {
    if (this.#stopped || (this.#armedForMs !== null && this.#armedForMs <= dueAtMs)) return;
    this.#cancel?.();
    this.#armedForMs = dueAtMs;
    // longer waits overflow the timers of Node; waking early only looks again
    const waitMs = Math.min(Math.max(0, dueAtMs - this.#parts.clock.nowMs()), 2 ** 31 - 1);
    this.#cancel = this.#parts.clock.after(waitMs, () => {
      this.#armedForMs = null;
      this.#cancel = null;
      void this.look();
    });
  }
}
