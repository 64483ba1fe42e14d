// Committed events of actors, read by cursor. A hint says "look"; only the store says what there is.

import type { Bus } from '#contracts/ports/bus.ts';
import type { EventStreams, StreamEvent } from '#contracts/ports/event-streams.ts';
import type { HostParts } from './host-parts.ts';
import { subjects } from './subjects.ts';

const EVENTS_AT_ONCE = 256;

export function createEventStreams(parts: HostParts): EventStreams & { stop(): void } {
  const watches = new Set<Watch>();
  return {
    read: (project, stream, afterSeq, limit) => parts.store.readEvents(project, stream, afterSeq, limit),
    watch(project, stream, afterSeq, listener) {
      const watch = new Watch(parts, project, stream, afterSeq, listener);
      watches.add(watch);
      return () => {
        watches.delete(watch);
        watch.stop();
      };
    },
    stop() {
      for (const watch of watches) watch.stop();
      watches.clear();
    },
  };
}

class Watch {
  readonly #parts: HostParts;
  readonly #project: string;
  readonly #stream: string;
  readonly #listener: (event: StreamEvent) => void;
  readonly #unsubscribe: ReturnType<Bus['subscribe']>;
  #cursor: number;
  #isReading = false;
  #lookAgain = false;
  #stopped = false;
  #cancelPoll: () => void = () => {};

  constructor(
    parts: HostParts,
    project: string,
    stream: string,
    afterSeq: number,
    listener: (event: StreamEvent) => void,
  ) {
    this.#parts = parts;
    this.#project = project;
    this.#stream = stream;
    this.#cursor = afterSeq;
    this.#listener = listener;
    this.#unsubscribe = parts.bus.subscribe(subjects.stream(project, stream), () => void this.#look());
    void this.#look();
    this.#poll();
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancelPoll();
  }

  #poll(): void {
    this.#cancelPoll = this.#parts.clock.after(this.#parts.limits.pollMs, () => {
      void this.#look();
      this.#poll();
    });
  }

  async #look(): Promise<void> {
    if (this.#isReading || this.#stopped) {
      this.#lookAgain = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#lookAgain = false;
        await this.#readNew();
      } while (this.#lookAgain && !this.#stopped);
    } catch (cause) {
      this.#parts.logger.warn('reading events failed', { stream: this.#stream, cause: String(cause) });
    } finally {
      this.#isReading = false;
    }
  }

  async #readNew(): Promise<void> {
    const { store } = this.#parts;
    const events = await store.readEvents(this.#project, this.#stream, this.#cursor, EVENTS_AT_ONCE);
    for (const event of events) {
      if (this.#stopped) return;
      this.#cursor = event.seq;
      this.#listener(event);
    }
    if (events.length === EVENTS_AT_ONCE) this.#lookAgain = true;
  }
}
