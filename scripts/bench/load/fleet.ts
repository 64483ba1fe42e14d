import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { fail } from '#contracts/errors.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import { silentLogger } from '#contracts/ports/logger.ts';
import { SHARD_COUNT, shardOf } from '#contracts/shards.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { connectNatsBus } from '#runtime/bus/nats-bus.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { pause } from '../runtime/window.ts';
import { openLoadHost, PROJECT, type LoadHost } from './load-host.ts';
import { until } from './until.ts';
import { WORKER_VARIABLE, type WorkerSettings } from './worker.ts';

const DEFAULT_NATS_URL = 'nats://127.0.0.1:4222';
/** After the last worker appeared, shards may still change hands: a beat of everybody, and one more. */
const SETTLED_MS = 2500;

export type Nats = { readonly url: string; readonly prefix: string };

/** The server that was asked for has to answer; the usual address may be empty, and then only polls carry news. */
export async function findNats(url: string | undefined): Promise<Nats | null> {
  const nats = { url: url ?? DEFAULT_NATS_URL, prefix: `yunsou-bench-${process.pid}` };
  const bus = await connectNatsBus({ ...nats, logger: silentLogger, connectTimeoutMs: 1000 });
  const isThere = bus.isConnected();
  await bus.close();
  if (isThere) return nats;
  if (url !== undefined) fail('store.unavailable', 'The NATS server that --nats or NATS_URL names does not answer.');
  return null;
}

async function openBus(nats: Nats | null): Promise<Bus> {
  if (nats === null) return createMemoryBus();
  return connectNatsBus({ ...nats, logger: silentLogger, connectTimeoutMs: 1000 });
}

/** Worker processes on one database that share the shards. */
export class Fleet {
  readonly workerIds: readonly string[];
  /** Talks to the workers and runs no actor itself. */
  readonly talker: LoadHost;
  readonly #database: BenchDatabase;
  readonly #bus: Bus;
  readonly #children = new Map<string, ChildProcess>();
  readonly #owners = new Map<number, string>();

  private constructor(database: BenchDatabase, bus: Bus, workers: number) {
    this.#database = database;
    this.#bus = bus;
    this.talker = openLoadHost(database.connection, { workerId: 'talker', bus });
    this.workerIds = Array.from({ length: workers }, (_, index) => `worker-${index}`);
  }

  static async start(database: BenchDatabase, nats: Nats | null, workers: number): Promise<Fleet> {
    const fleet = new Fleet(database, await openBus(nats), workers);
    try {
      for (const workerId of fleet.workerIds) {
        fleet.#children.set(workerId, startWorker({ workerId, connection: database.connection, nats }));
      }
      await until('the workers share the shards', () => fleet.#isShared(), { everyMs: 100 });
      await pause(SETTLED_MS);
      await fleet.#readLeases();
      return fleet;
    } catch (cause) {
      await fleet.stop();
      throw cause;
    }
  }

  /** Which worker ran an actor's shard when the fleet had settled. */
  ownerOf(address: string): string {
    return this.#owners.get(shardOf(PROJECT, address)) ?? '';
  }

  shardsOf(workerId: string): number[] {
    return [...this.#owners].filter(([, owner]) => owner === workerId).map(([shard]) => shard);
  }

  /** The first of `prefix0`, `prefix1`, … that this worker runs. */
  nameOn(workerId: string, prefix: string): string {
    for (let index = 0; index < SHARD_COUNT * 100; index += 1) {
      if (this.ownerOf(`${prefix}${index}`) === workerId) return `${prefix}${index}`;
    }
    throw new Error(`${workerId} runs nothing`);
  }

  /** SIGKILL; resolves when the process is gone. */
  async kill(workerId: string): Promise<void> {
    const child = this.#children.get(workerId);
    if (child === undefined) throw new Error(`there is no ${workerId}`);
    this.#children.delete(workerId);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    const [, signal] = (await gone) as [number | null, string | null];
    if (signal !== 'SIGKILL') throw new Error(`${workerId} was not killed but ended by itself`);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#children.values()].map(stopWorker));
    await this.talker.stop();
    await this.#bus.close();
  }

  async #isShared(): Promise<boolean> {
    for (const [workerId, { exitCode }] of this.#children) {
      if (exitCode !== null) throw new Error(`${workerId} ended with ${exitCode}`);
    }
    await this.#readLeases();
    return this.#owners.size === SHARD_COUNT && this.workerIds.every((id) => this.shardsOf(id).length > 0);
  }

  async #readLeases(): Promise<void> {
    type Lease = { shard: number; owner: string | null };
    this.#owners.clear();
    for (const { shard, owner } of await this.#database.query<Lease>('select shard, owner from shard_lease')) {
      if (owner !== null) this.#owners.set(shard, owner);
    }
  }
}

function startWorker(settings: WorkerSettings): ChildProcess {
  return fork(fileURLToPath(new URL('worker.ts', import.meta.url)), {
    env: { ...process.env, [WORKER_VARIABLE]: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function stopWorker(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  const tooLate = setTimeout(() => child.kill('SIGKILL'), 10_000);
  child.send('stop', () => undefined);
  await gone;
  clearTimeout(tooLate);
}
