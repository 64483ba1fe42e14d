import { PlatformError } from '#contracts/errors.ts';
import type { ActorMessage } from '#contracts/ports/actor-client.ts';
import { Durations } from '../runtime/percentiles.ts';
import type { Fleet } from './fleet.ts';
import { mailTo } from './load-host.ts';

const LONGEST_MS = 30_000;

type Sample = { readonly atMs: number; readonly ms: number };

/** Asks actors in turn, at an even pace however long answers take: from sending to knowing that it was acted on. */
export class PacedTraffic {
  readonly #fleet: Fleet;
  readonly #names: readonly string[];
  readonly #everyMs: number;
  readonly #samples: Sample[] = [];
  readonly #open = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #failure: unknown = null;
  #next = 0;

  constructor(fleet: Fleet, names: readonly string[], everyMs: number) {
    this.#fleet = fleet;
    this.#names = names;
    this.#everyMs = everyMs;
  }

  start(): void {
    const startedAt = performance.now();
    let due = 0;
    this.#timer = setInterval(() => {
      // a late alarm sends what it missed, so that a pause is not a pause of the measurement too
      const wanted = Math.floor((performance.now() - startedAt) / this.#everyMs);
      for (; due < wanted; due += 1) this.#send();
    }, this.#everyMs);
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.all(this.#open);
    if (this.#failure !== null) throw this.#failure as Error;
  }

  /** Of messages that were sent in this time. */
  between(fromMs: number, toMs: number): Durations {
    const durations = new Durations();
    for (const { atMs, ms } of this.#samples) if (atMs >= fromMs && atMs < toMs) durations.add(ms);
    return durations;
  }

  #send(): void {
    const name = this.#names[this.#next % this.#names.length] ?? '';
    this.#next += 1;
    const atMs = performance.now();
    const asked = this.#ask(mailTo(name, { type: 'crowd.poke' }), atMs + LONGEST_MS).then(
      () => void this.#samples.push({ atMs, ms: performance.now() - atMs }),
      (cause: unknown) => void (this.#failure ??= cause),
    );
    const open = asked.finally(() => this.#open.delete(open));
    this.#open.add(open);
  }

  /** As people do: the same message again while the database has no room, and the wait counts. */
  async #ask(message: ActorMessage, untilMs: number): Promise<void> {
    for (;;) {
      try {
        await this.#fleet.talker.host.client.ask(message, LONGEST_MS);
        return;
      } catch (cause) {
        const isBusy = cause instanceof PlatformError && cause.failure.code === 'store.unavailable';
        if (!isBusy || performance.now() >= untilMs) throw cause;
      }
    }
  }
}
