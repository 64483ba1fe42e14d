// Old rows of the log go.
//
// Owns:     when this worker trims its shards.
// Owns not: what may go (the store), how long it is kept (limits).
//
//   TR1  Trimming is fenced like a commit: a worker that lost a shard trims nothing of it.
//   TR2  It works in small bites with pauses, so that commits never wait long behind it.

import type { HostParts } from './host-parts.ts';
import type { Leases } from './leases.ts';

const ROWS_AT_ONCE = 1000;
const PAUSE_MS = 250;
const FIRST_MS = 60_000;
const BETWEEN_MS = 3_600_000;

export class Trimming {
  readonly #parts: HostParts;
  readonly #leases: Leases;
  #cancel: () => void = () => {};
  #stopped = false;
  trimmed = 0;

  constructor(parts: HostParts, leases: Leases) {
    this.#parts = parts;
    this.#leases = leases;
  }

  start(): void {
    if (this.#parts.limits.keepLogMs > 0) this.#schedule(FIRST_MS);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #schedule(waitMs: number): void {
    if (this.#stopped) return;
    this.#cancel = this.#parts.clock.after(waitMs, () => void this.#bite());
  }

  async #bite(): Promise<void> {
    const { store, workerId, limits, logger } = this.#parts;
    const leases = this.#leases.held().flatMap((shard) => {
      const epoch = this.#leases.epochOf(shard);
      return epoch === null ? [] : [{ shard, epoch }];
    });
    try {
      const count = leases.length === 0 ? 0 : await store.trim(workerId, leases, limits.keepLogMs, ROWS_AT_ONCE);
      this.trimmed += count;
      this.#schedule(count > 0 ? PAUSE_MS : BETWEEN_MS);
    } catch (cause) {
      logger.warn('trimming the log failed', { cause: String(cause) });
      this.#schedule(BETWEEN_MS);
    }
  }
}
