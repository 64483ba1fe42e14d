import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import type { SeededRandomness } from './seeded-randomness.ts';

export type HintFaults = {
  /** Share of hints that are lost, 0 to 1. */
  drop: number;
  /** Share of hints that arrive twice. */
  duplicate: number;
  /** Hints are held back and come in any order with the next `release`. */
  reorder: boolean;
};

/** The in-process bus with a bad wire in front of it. */
export class HarnessBus implements Bus {
  readonly faults: HintFaults = { drop: 0, duplicate: 0, reorder: false };
  readonly #inner = createMemoryBus();
  readonly #randomness: SeededRandomness;
  #held: [string, string][] = [];
  published = 0;

  constructor(randomness: SeededRandomness) {
    this.#randomness = randomness;
  }

  publish(subject: string, payload: string): void {
    this.published += 1;
    if (this.#randomness.next() < this.faults.drop) return;
    const copies = this.#randomness.next() < this.faults.duplicate ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      if (this.faults.reorder) this.#held.push([subject, payload]);
      else this.#inner.publish(subject, payload);
    }
  }

  subscribe(subject: string, listener: (payload: string, subject: string) => void): () => void {
    return this.#inner.subscribe(subject, listener);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Lets the held hints through in random order; false when there were none. */
  release(): boolean {
    const held = this.#held;
    const hadSome = held.length > 0;
    this.#held = [];
    while (held.length > 0) {
      const [hint] = held.splice(this.#randomness.below(held.length), 1);
      if (hint !== undefined) this.#inner.publish(...hint);
    }
    return hadSome;
  }
}
