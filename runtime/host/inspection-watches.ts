// Inspectors of this process, and what hosts anywhere tell them.
//
// Owns:     the announcements of watchers, the last number heard of each worker.
// Owns not: the log (read by whoever was told to look), queues of readers (gateway).
//
//   1  A watcher announces itself before its time to live ends, over the bus, so that every host hears of it.
//   2  A number that was left out means a lost hint: the watcher learns that, and nothing about what was in it.
//   3  A watcher of one actor is also called without a hint at every poll, so that a lost hint costs time only.

import type { ActorAddress } from '#contracts/envelope.ts';
import type { ProjectHint } from '#contracts/ports/inspection.ts';
import type { HostParts } from './host-parts.ts';
import type { HintMessage, HintRow, WatchNotice } from './inspection-hints.ts';
import { subjects } from './subjects.ts';

const ANNOUNCE_MS = 5_000;
const TTL_MS = 15_000;

export class InspectionWatches {
  readonly #parts: HostParts;
  readonly #stops = new Set<() => void>();

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  project(project: string, listener: (hint: ProjectHint) => void): () => void {
    const heard = new Map<string, number>();
    return this.#open(subjects.inspect(project), { project, address: null, ttlMs: TTL_MS }, (payload) => {
      const message = JSON.parse(payload) as HintMessage;
      const hint = hintOf(message, heard);
      if (hint.rows.length > 0 || hint.skipped > 0 || hint.isLossy) listener(hint);
    });
  }

  actor(project: string, address: ActorAddress, listener: (seq: number | null) => void): () => void {
    const { clock, limits } = this.#parts;
    const notice = { project, address, ttlMs: TTL_MS };
    const stop = this.#open(subjects.inspectActor(project, address), notice, (payload) => listener(Number(payload)));
    let cancel = (): void => {};
    const poll = (): void => {
      cancel = clock.after(limits.pollMs, () => {
        listener(null);
        poll();
      });
    };
    poll();
    return this.#kept(() => {
      cancel();
      stop();
    });
  }

  stop(): void {
    for (const stop of [...this.#stops]) stop();
  }

  #open(subject: string, notice: WatchNotice, hear: (payload: string) => void): () => void {
    const { bus, clock } = this.#parts;
    const unsubscribe = bus.subscribe(subject, hear);
    let cancel = (): void => {};
    const announce = (): void => {
      bus.publish(subjects.watch, JSON.stringify(notice));
      cancel = clock.after(ANNOUNCE_MS, announce);
    };
    announce();
    return this.#kept(() => {
      cancel();
      unsubscribe();
    });
  }

  #kept(stop: () => void): () => void {
    const once = (): void => {
      if (this.#stops.delete(once)) stop();
    };
    this.#stops.add(once);
    return once;
  }
}

function hintOf({ worker, number, skipped, rows }: HintMessage, heard: Map<string, number>): ProjectHint {
  const last = heard.get(worker);
  // hints may come late and twice
  heard.set(worker, Math.max(number, last ?? 0));
  // an announcement is answered with the present number and nothing else; any other hint is the next one
  const isAnswer = rows.length === 0 && skipped === 0;
  const expected = last === undefined ? number : isAnswer ? last : last + 1;
  return { rows: rows.map(rowOf), skipped, isLossy: number > expected };
}

function rowOf([address, seq, index, messageId, from, eventType, outcome, state, atMs]: HintRow) {
  return { address, seq, index, messageId, from, eventType, outcome, state, atMs };
}
