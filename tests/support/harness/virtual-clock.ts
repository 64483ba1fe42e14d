import type { Clock } from '#contracts/ports/clock.ts';

type Alarm = { readonly id: number; readonly dueAtMs: number; readonly callback: () => void };

/** Time that passes only when the test says so. */
export class VirtualClock implements Clock {
  #nowMs: number;
  #nextId = 0;
  readonly #alarms = new Map<number, Alarm>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, callback: () => void): () => void {
    const id = this.#nextId++;
    this.#alarms.set(id, { id, dueAtMs: this.#nowMs + Math.max(0, delayMs), callback });
    return () => void this.#alarms.delete(id);
  }

  moveTo(ms: number): void {
    this.#nowMs = Math.max(this.#nowMs, ms);
  }

  nextDueAtMs(): number | null {
    return this.#next()?.dueAtMs ?? null;
  }

  /** Calls the earliest alarm that is due; false when there is none. */
  ringNext(): boolean {
    const alarm = this.#next();
    if (alarm === undefined || alarm.dueAtMs > this.#nowMs) return false;
    this.#alarms.delete(alarm.id);
    alarm.callback();
    return true;
  }

  #next(): Alarm | undefined {
    let next: Alarm | undefined;
    for (const alarm of this.#alarms.values()) {
      if (next === undefined || alarm.dueAtMs < next.dueAtMs) next = alarm;
    }
    return next;
  }
}
