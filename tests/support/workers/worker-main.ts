// A worker process under test: a host with the chaos actors, on real services, that takes orders from the test.

import type { ActorStore, CommitVerdict } from '#contracts/ports/actor-store.ts';
import { createPostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { connectNatsBus } from '#runtime/bus/nats-bus.ts';
import { createActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import { createLogger } from '#runtime/telemetry/logger.ts';
import { CHAOS_ACTORS, type ChaosPorts } from './chaos-actors.ts';
import {
  WORKER_VARIABLE,
  type Order,
  type StopPoint,
  type WorkerSettings,
  type WorkerStats,
} from './worker-settings.ts';

const settings = JSON.parse(process.env[WORKER_VARIABLE] ?? '{}') as WorkerSettings;
const { workerId, connection, nats, farEndUrl, limits } = settings;
const answers: Record<string, number> = {};
let stopPoint: StopPoint | null = null;

const note = (call: string, answer: string) => {
  const key = `${call} ${answer}`;
  answers[key] = (answers[key] ?? 0) + 1;
};

function pass(point: StopPoint): void {
  if (stopPoint !== point) return;
  stopPoint = null;
  process.kill(process.pid, 'SIGSTOP');
}

/** Counts what the store answers, and stops the process where the test asked for it. */
function watched(store: ActorStore): ActorStore {
  return {
    ...store,
    async commit(owner, commitId, entries) {
      pass('before commit');
      const verdicts: readonly CommitVerdict[] = await store.commit(owner, commitId, entries);
      for (const verdict of verdicts) note('commit', verdict);
      return verdicts;
    },
    async dispatchEffect(owner, key) {
      pass('before dispatchEffect');
      const verdict = await store.dispatchEffect(owner, key);
      note('dispatchEffect', verdict);
      pass('after dispatchEffect');
      return verdict;
    },
    async completeEffect(owner, key, result, mail) {
      pass('before completeEffect');
      const isStored = await store.completeEffect(owner, key, result, mail);
      note('completeEffect', isStored ? 'stored' : 'refused');
      return isStored;
    },
  };
}

const ports: ChaosPorts = {
  async call(what, fx) {
    const { effectId, attempt, signal } = fx;
    const body = JSON.stringify({ what, effectId, attempt, worker: workerId });
    const response = await fetch(farEndUrl, { method: 'POST', body, signal });
    return response.text();
  },
};

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const logger = createLogger({ level: 'debug', base: { workerId } });
const store = createPostgresActorStore({ connection });
const bus = nats === null ? createMemoryBus() : await connectNatsBus({ ...nats, logger });
const host = createActorHost({
  workerId,
  store: watched(store),
  bus,
  definitions: CHAOS_ACTORS,
  ports,
  clock: systemClock,
  randomness: systemRandomness,
  logger,
  limits,
});

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  const stats: WorkerStats = { ...host.stats(), answers, heapBytes: process.memoryUsage().heapUsed };
  if (order.verb === 'stop at') stopPoint = order.point;
  process.send?.({ id, stats }, () => {
    if (order.verb === 'block') block(order.ms);
  });
});
process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', () => {
  void host
    .stop()
    .then(() => Promise.all([bus.close(), store.close()]))
    .then(() => process.exit(0));
});
await host.start();
process.send?.('started');
