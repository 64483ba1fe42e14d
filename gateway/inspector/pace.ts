import type { Clock } from '#contracts/ports/clock.ts';
import { BATCH_EVERY_MS } from './batch.ts';

/** Runs a piece of work when it is asked to, never twice at a time and at most ten times a second. */
export class Pace {
  readonly #clock: Clock;
  readonly #work: () => Promise<void>;
  #cancel: (() => void) | null = null;
  #isWorking = false;
  #isAskedAgain = false;
  #isStopped = false;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, work: () => Promise<void>) {
    this.#clock = clock;
    this.#work = work;
  }

  ask(): void {
    if (this.#isStopped || this.#cancel !== null) return;
    if (this.#isWorking) {
      this.#isAskedAgain = true;
      return;
    }
    const waitMs = Math.max(0, this.#lastMs + BATCH_EVERY_MS - this.#clock.nowMs());
    this.#cancel = this.#clock.after(waitMs, () => void this.#run());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  /** `work` deals with its own failures. */
  async #run(): Promise<void> {
    this.#cancel = null;
    this.#isWorking = true;
    this.#isAskedAgain = false;
    this.#lastMs = this.#clock.nowMs();
    await this.#work();
    this.#isWorking = false;
    if (this.#isAskedAgain) this.ask();
  }
}
