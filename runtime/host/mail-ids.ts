// Ids for the mail that this worker's commits send.
//
// Owns:     the block of ids that was reserved last.
// Owns not: the sequence (the store), who sends what.
//
//   1  An id is given once. Ids of one sender grow: here by counting up, across workers because a block that was reserved
//      before an acquisition is not used after it.

import type { ActorStore } from '#contracts/ports/actor-store.ts';

export class MailIds {
  readonly #store: ActorStore;
  #next = 0;
  #end = 0;
  #reserving: Promise<void> | null = null;
  /** Grows with every acquisition; a block asked for before it comes too late. */
  #era = 0;

  constructor(store: ActorStore) {
    this.#store = store;
  }

  /** Shards were acquired: their former owner may have used higher ids than the ones reserved here. */
  renew(): void {
    this.#era += 1;
    this.#next = this.#end = 0;
  }

  /** Whether `count` ids can be taken now. */
  has(count: number): boolean {
    return this.#end - this.#next >= count;
  }

  /** The caller made sure that there is one. */
  take(): number {
    const id = this.#next;
    this.#next += 1;
    return id;
  }

  /** Resolves when `count` ids can be taken, or another reservation is needed; throws what the store throws. */
  async reserve(count: number): Promise<void> {
    while (!this.has(count)) {
      this.#reserving ??= this.#ask().finally(() => {
        this.#reserving = null;
      });
      await this.#reserving;
    }
  }

  async #ask(): Promise<void> {
    const era = this.#era;
    const { first, count } = await this.#store.reserveMailIds();
    if (era !== this.#era) return;
    this.#next = first;
    this.#end = first + count;
  }
}
