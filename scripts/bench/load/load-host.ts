import type { ActorMessage } from '#contracts/ports/actor-client.ts';
import type { ActorStore, CommitEntry, CommitVerdict, Json } from '#contracts/ports/actor-store.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import type { DatabaseConnection } from '#persistence/connection.ts';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import type { HostLimits } from '#runtime/host/limits.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import { hiveActor, napperActor, sleeperActor } from './crowd-actors.ts';
import { rallyActor } from './rally-actor.ts';
import { droneActor, queenActor } from './swarm-actors.ts';

/** The project of everything that the load harness creates, except limits. */
export const PROJECT = 'load';

export type Landed = (entry: CommitEntry, nowMs: number) => void;

export type LoadHost = {
  readonly host: ActorHost;
  /** Called for every entry that landed, right after the store's answer. */
  watch(landed: Landed): () => void;
  stop(): Promise<void>;
};

export type LoadHostOptions = {
  readonly workerId: string;
  readonly bus?: Bus;
  readonly limits?: Partial<HostLimits>;
};

/** A worker of this process that knows the actors of the load harness. */
export function openLoadHost(connection: DatabaseConnection, options: LoadHostOptions): LoadHost {
  const store = createPostgresActorStore({ connection });
  const watchers = new Set<Landed>();
  const host = createActorHost({
    workerId: options.workerId,
    store: watched(store, watchers),
    bus: options.bus ?? createMemoryBus(),
    definitions: [hiveActor, sleeperActor, napperActor, rallyActor, queenActor, droneActor],
    ports: {},
    clock: systemClock,
    randomness: systemRandomness,
    limits: options.limits ?? {},
  });
  return {
    host,
    watch(landed) {
      watchers.add(landed);
      return () => watchers.delete(landed);
    },
    async stop() {
      await host.stop();
      await store.close();
    },
  };
}

function watched(store: ActorStore, watchers: ReadonlySet<Landed>): ActorStore {
  return {
    ...store,
    commit: async (owner, commitId, entries) => {
      const verdicts: readonly CommitVerdict[] = await store.commit(owner, commitId, entries);
      if (watchers.size === 0) return verdicts;
      const nowMs = performance.now();
      entries.forEach((entry, at) => {
        if (verdicts[at] === 'committed') for (const landed of watchers) landed(entry, nowMs);
      });
      return verdicts;
    },
  };
}

let sent = 0;

/** Mail from outside, with a message id of its own. */
export function mailTo(to: string, event: ActorMessage['event'], input?: Json): ActorMessage {
  sent += 1;
  const message = { project: PROJECT, to, from: 'system', messageId: `load-${process.pid}-${sent}`, event };
  return input === undefined ? message : { ...message, create: { input } };
}
