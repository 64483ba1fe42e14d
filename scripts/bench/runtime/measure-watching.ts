import type { ActorStore } from '#contracts/ports/actor-store.ts';
import { ProjectTail } from '#gateway/inspector/project-tail.ts';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { busyActor } from './busy-actor.ts';
import { pause, window, type Rate, type Span } from './window.ts';

type Told = { messages: number; transitions: number; leftOut: number };

export type WatchingMeasured = {
  readonly actors: number;
  readonly unwatched: Rate;
  readonly watched: Rate;
  /** Throughput with a watcher over throughput without one. */
  readonly ratio: number;
  /** Of single rounds: how far the machine itself wanders. */
  readonly roundRatios: readonly number[];
  readonly told: Readonly<Told>;
};

const CREATED_AT_ONCE = 250;

/**
 * What an inspector of a whole project costs: the same busy actors in turn without and with one, in one process, so that the
 * watcher's own work counts too. Both kinds of window alternate, because the machine gets faster and slower by itself.
 */
export async function measureWatching(
  database: BenchDatabase,
  options: { readonly actors: number; readonly rounds: number; readonly span: Span; readonly project: string },
): Promise<WatchingMeasured> {
  const { actors, rounds, span, project } = options;
  const store = createPostgresActorStore({ connection: database.connection });
  const steps = { count: 0 };
  const host = busyHost(store, steps);
  const told = { messages: 0, transitions: 0, leftOut: 0 };
  try {
    await host.start();
    await populate(host, project, actors);
    const pairs: { readonly unwatched: Rate; readonly watched: Rate }[] = [];
    for (let round = 0; round < rounds; round++) {
      const unwatched = await window(span, () => steps.count);
      const tail = watch(host, project, told);
      const watched = await window(span, () => steps.count);
      tail.stop();
      await untilForgotten();
      pairs.push({ unwatched, watched });
    }
    const unwatched = mean(pairs.map((pair) => pair.unwatched));
    const watched = mean(pairs.map((pair) => pair.watched));
    const roundRatios = pairs.map((pair) => pair.watched.stepsPerS / pair.unwatched.stepsPerS);
    return { actors, unwatched, watched, ratio: watched.stepsPerS / unwatched.stepsPerS, roundRatios, told };
  } finally {
    await host.stop();
    await store.close();
  }
}

function busyHost(store: ActorStore, steps: { count: number }): ActorHost {
  return createActorHost({
    workerId: 'bench',
    store: {
      ...store,
      commit: async (owner, commitId, entries) => {
        const verdicts = await store.commit(owner, commitId, entries);
        entries.forEach((entry, at) => (steps.count += verdicts[at] === 'committed' ? entry.transitions.length : 0));
        return verdicts;
      },
    },
    bus: createMemoryBus(),
    definitions: [busyActor],
    ports: {},
    clock: systemClock,
    randomness: systemRandomness,
  });
}

function watch({ inspection }: ActorHost, project: string, told: Told): ProjectTail {
  const tail = new ProjectTail({ inspection, clock: systemClock, project }, 0, {
    isFree: () => true,
    send: (batch) => {
      told.messages += 1;
      told.transitions += batch.rows.length;
      told.leftOut += batch.gap?.transitions ?? 0;
      // a socket would write it
      JSON.stringify(batch);
    },
    fail: (cause) => {
      throw new TypeError('the log cannot be read', { cause });
    },
  });
  tail.start();
  return tail;
}

/** Hosts go on telling for the time to live of the last announcement. */
function untilForgotten(): Promise<void> {
  return pause(16_000);
}

async function populate(host: ActorHost, project: string, actors: number): Promise<void> {
  const names = Array.from({ length: actors }, (_, index) => `busy/w${index}`);
  for (let start = 0; start < names.length; start += CREATED_AT_ONCE) {
    await Promise.all(
      names.slice(start, start + CREATED_AT_ONCE).map((to, at) => {
        const message = { project, to, from: 'system', messageId: 'create', event: { type: 'runtime.create' } };
        const partner = names[(start + at) ^ 1] ?? to;
        return host.client.ask({ ...message, create: { input: { partner } } }, 60_000);
      }),
    );
  }
  const serve = (to: string) =>
    host.client.send({ project, to, from: 'system', messageId: 'serve', event: { type: 'busy.serve' } });
  for (let start = 0; start < names.length; start += CREATED_AT_ONCE) {
    await Promise.all(names.slice(start, start + CREATED_AT_ONCE).map(serve));
  }
}

function mean(rates: readonly Rate[]): Rate {
  const of = (pick: (rate: Rate) => number): number =>
    rates.reduce((sum, rate) => sum + pick(rate), 0) / Math.max(1, rates.length);
  return { stepsPerS: of(({ stepsPerS }) => stepsPerS), cpuMicros: of(({ cpuMicros }) => cpuMicros) };
}
