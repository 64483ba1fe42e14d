import type { ActorStore, CommitEntry, CommitVerdict } from '#contracts/ports/actor-store.ts';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { busyActor } from './busy-actor.ts';
import { Durations } from './percentiles.ts';
import { window, type Rate, type Span } from './window.ts';

/** One message in so many is timed. */
const SAMPLED = 8;

/** `p50Ms`, `p99Ms`: from the commit that sent a message to the commit that consumed it. */
export type ActorsMeasured = Rate & { readonly p50Ms: number; readonly p99Ms: number; readonly snapshotBytes: number };

/** Busy actors in pairs: every actor plays one ball to its partner, so that each step consumes one mailbox row and adds one. */
export async function measureActors(
  database: BenchDatabase,
  concurrency: number,
  span: Span,
  project: string,
): Promise<ActorsMeasured> {
  const store = createPostgresActorStore({ connection: database.connection });
  const watch = new CommitWatch(store);
  const host = createActorHost({
    workerId: 'bench',
    store: watch.store,
    bus: createMemoryBus(),
    definitions: [busyActor],
    ports: {},
    clock: systemClock,
    randomness: systemRandomness,
  });
  try {
    await host.start();
    const names = Array.from({ length: concurrency }, (_, index) => `busy/b${index}`);
    const partnerOf = (index: number) => names[concurrency === 1 ? 0 : index ^ 1] ?? names[0] ?? '';
    await Promise.all(names.map((to, index) => create(host, project, to, partnerOf(index))));
    await Promise.all(names.map((to) => serve(host, project, to)));
    const rate = await window(
      span,
      () => watch.steps,
      () => watch.latency.clear(),
    );
    const { latency, snapshotBytes } = watch;
    return { ...rate, p50Ms: latency.at(0.5), p99Ms: latency.at(0.99), snapshotBytes };
  } finally {
    await host.stop();
    await store.close();
  }
}

type Host = ReturnType<typeof createActorHost>;

function create(host: Host, project: string, to: string, partner: string): Promise<unknown> {
  const message = { project, to, from: 'system', messageId: 'create', event: { type: 'runtime.create' } };
  return host.client.ask({ ...message, create: { input: { partner } } }, 60_000);
}

function serve(host: Host, project: string, to: string): Promise<unknown> {
  return host.client.send({ project, to, from: 'system', messageId: 'serve', event: { type: 'busy.serve' } });
}

/** Counts what landed and times sampled messages, at the port of the store. */
class CommitWatch {
  readonly store: ActorStore;
  readonly latency = new Durations();
  readonly #sentAt = new Map<number, number>();
  steps = 0;
  snapshotBytes = 0;

  constructor(store: ActorStore) {
    this.store = {
      ...store,
      commit: async (owner, commitId, entries) => {
        const verdicts = await store.commit(owner, commitId, entries);
        this.#note(entries, verdicts);
        return verdicts;
      },
    };
  }

  #note(entries: readonly CommitEntry[], verdicts: readonly CommitVerdict[]): void {
    const nowMs = performance.now();
    entries.forEach((entry, index) => {
      if (verdicts[index] !== 'committed') return;
      this.steps += entry.transitions.length;
      this.snapshotBytes = entry.next.snapshotText?.length ?? 0;
      for (const { mailId } of entry.consumedMail) {
        const sentAt = this.#sentAt.get(mailId);
        if (sentAt === undefined) continue;
        this.#sentAt.delete(mailId);
        this.latency.add(nowMs - sentAt);
      }
      for (const { mailId } of entry.outgoing) if (mailId % SAMPLED === 0) this.#sentAt.set(mailId, nowMs);
    });
  }
}
