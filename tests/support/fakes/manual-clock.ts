import type { Clock } from '#contracts/ports/clock.ts';

/** Time that stands still until a test moves it; callbacks run in the order they are due. */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #waiting = new Set<{ readonly dueAtMs: number; readonly callback: () => void }>();

  constructor(startMs = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const entry = { dueAtMs: this.#nowMs + delayMs, callback };
    this.#waiting.add(entry);
    return () => void this.#waiting.delete(entry);
  }

  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (let next = this.#nextDue(untilMs); next !== undefined; next = this.#nextDue(untilMs)) {
      this.#waiting.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueAtMs);
      next.callback();
    }
    this.#nowMs = untilMs;
  }

  waitingCount(): number {
    return this.#waiting.size;
  }

  #nextDue(untilMs: number) {
    return [...this.#waiting].filter((one) => one.dueAtMs <= untilMs).sort((a, b) => a.dueAtMs - b.dueAtMs)[0];
  }
}
