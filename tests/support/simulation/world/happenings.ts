// Everything that may happen next, and virtual time.
//
// Owns:     what is ready, what waits for its time, the clock.
// Owns not: what a happening does, who may be frozen (sim-process.ts).
//
//   1  Nothing happens by itself: the scheduler takes one happening after the other, in an order that dice decide.
//   2  Time moves only when the scheduler says so, and never over an alarm.

export type Happening = { readonly label: string; readonly run: () => void };
type Alarm = { readonly dueAtMs: number; readonly happening: Happening };
export type Dice = { next(): number; below(limit: number): number };

export class Happenings {
  nowMs = Date.UTC(2026, 0, 1);
  readonly #ready: Happening[] = [];
  readonly #alarms: Alarm[] = [];

  get readyCount(): number {
    return this.#ready.length;
  }

  push(label: string, run: () => void): Happening {
    const happening = { label, run };
    this.#ready.push(happening);
    return happening;
  }

  after(delayMs: number, label: string, run: () => void): Happening {
    if (delayMs <= 0) return this.push(label, run);
    const happening = { label, run };
    const alarm = { dueAtMs: this.nowMs + delayMs, happening };
    // kept in order; of equal times the older one comes first
    let index = this.#alarms.length;
    while (index > 0 && (this.#alarms[index - 1]?.dueAtMs ?? 0) > alarm.dueAtMs) index -= 1;
    this.#alarms.splice(index, 0, alarm);
    return happening;
  }

  cancel(happening: Happening): void {
    const ready = this.#ready.indexOf(happening);
    if (ready >= 0) this.#ready.splice(ready, 1);
    const alarm = this.#alarms.findIndex((candidate) => candidate.happening === happening);
    if (alarm >= 0) this.#alarms.splice(alarm, 1);
  }

  /** The oldest with the probability `inOrder`, else any. */
  take(dice: Dice, inOrder: number): Happening | undefined {
    const isOldest = this.#ready.length < 2 || dice.next() < inOrder;
    return this.#ready.splice(isOldest ? 0 : dice.below(this.#ready.length), 1)[0];
  }

  /** Moves to the next alarm, or to `limitMs` when that comes first; false when time is there already. */
  moveTowards(limitMs: number): boolean {
    if (this.nowMs >= limitMs) return false;
    this.nowMs = Math.min(limitMs, this.#alarms[0]?.dueAtMs ?? limitMs);
    while (this.#alarms[0] !== undefined && this.#alarms[0].dueAtMs <= this.nowMs) {
      const alarm = this.#alarms.shift();
      if (alarm !== undefined) this.#ready.push(alarm.happening);
    }
    return true;
  }
}
