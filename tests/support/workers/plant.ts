// Several worker processes on one database, a client in this process, and the world outside.
//
// Owns:     the workers, the proxies, the far end, the trace of every commit.
// Owns not: the database server (a test file's, or its own), what is asked of the actors (errands.ts).

import type { NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { silentLogger } from '#contracts/ports/logger.ts';
import type { DatabaseConnection } from '#persistence/connection.ts';
import { createPostgresActorStore, type PostgresActorStore } from '#persistence/stores/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { connectNatsBus } from '#runtime/bus/nats-bus.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import type { HostLimits } from '#runtime/host/limits.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import { CHAOS_ACTORS } from './chaos-actors.ts';
import { FarEnd } from './far-end.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { Worker } from './worker.ts';

/** Quick, so that a take-over takes two seconds; not so quick that a busy machine loses shards without a fault. */
export const QUICK = { beatMs: 600, deadAfterMs: 1800, pollMs: 400 } as const;
const LIMIT_MS = 25_000;
export const PROJECT = 'p';

export type PlantOptions = {
  readonly connection: DatabaseConnection;
  readonly natsUrl?: string;
  readonly limits?: Partial<HostLimits>;
  readonly maxMailPerActor?: number;
};

export class Plant {
  readonly farEnd: FarEnd;
  readonly workers: Worker[] = [];
  readonly client: ActorHost;
  readonly store: PostgresActorStore;
  /** For what the test itself looks up; survives a restart of the server. */
  readonly pool: pg.Pool;
  readonly #options: PlantOptions;
  readonly #bus: Bus;
  readonly #proxies: TcpProxy[] = [];

  private constructor(options: PlantOptions, farEnd: FarEnd, bus: Bus) {
    this.#options = options;
    this.farEnd = farEnd;
    this.#bus = bus;
    const { connection, maxMailPerActor } = options;
    this.store = createPostgresActorStore({
      connection,
      ...(maxMailPerActor === undefined ? {} : { maxMailPerActor }),
    });
    this.pool = new pg.Pool({ ...connection, max: 1, idleTimeoutMillis: 0, application_name: 'chaos-test' });
    this.pool.on('error', () => undefined);
    this.client = createActorHost({
      workerId: 'client',
      store: this.store,
      bus,
      definitions: CHAOS_ACTORS,
      pools: [],
      ports: {},
      clock: systemClock,
      randomness: systemRandomness,
    });
  }

  static async open(options: PlantOptions): Promise<Plant> {
    const { natsUrl } = options;
    const bus =
      natsUrl === undefined
        ? createMemoryBus()
        : await connectNatsBus({ url: natsUrl, prefix: 'chaos', logger: silentLogger });
    const plant = new Plant(options, await FarEnd.open(), bus);
    await plant.query(TRACE);
    return plant;
  }

  /** Starts a worker; `through`: its way to the database, or to NATS. */
  boot(
    id: string,
    through: { database?: TcpProxy; nats?: TcpProxy; limits?: Partial<HostLimits>; node?: readonly string[] } = {},
  ): Worker {
    const { connection, natsUrl, limits } = this.#options;
    const natsAt = through.nats === undefined ? natsUrl : `nats://127.0.0.1:${through.nats.port}`;
    const worker = new Worker(
      {
        workerId: id,
        connection: through.database === undefined ? connection : proxied(connection, through.database.port),
        nats: natsAt === undefined ? null : { url: natsAt, prefix: 'chaos' },
        farEndUrl: this.farEnd.url,
        limits: { ...QUICK, checks: true, ...limits, ...through.limits },
      },
      through.node,
    );
    this.workers.push(worker);
    return worker;
  }

  /** Starts workers, at once, and waits until they share the shards. */
  async start(...ids: readonly string[]): Promise<Worker[]> {
    const started = ids.map((id) => this.boot(id));
    await Promise.all(started.map((worker) => worker.started()));
    await this.untilShared(ids);
    return started;
  }

  async untilShared(ids: readonly string[]): Promise<void> {
    await this.until('the workers share the shards', async () => {
      const owners = await this.query<{ owner: string | null }>('select distinct owner from shard_lease');
      return owners.length === ids.length && ids.every((id) => owners.some(({ owner }) => owner === id));
    });
  }

  async proxyToDatabase(): Promise<TcpProxy> {
    const { connection } = this.#options;
    const proxy = await TcpProxy.open(socketOf(connection));
    this.#proxies.push(proxy);
    return proxy;
  }

  async proxyToNats(): Promise<TcpProxy> {
    const url = new URL(this.#options.natsUrl ?? 'nats://127.0.0.1:4222');
    const proxy = await TcpProxy.open({ host: url.hostname, port: Number(url.port) });
    this.#proxies.push(proxy);
    return proxy;
  }

  async query<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, [...values])).rows;
  }

  /** Ends the server processes of a worker's connections; answers how many there were. */
  async terminateBackends(worker: Worker): Promise<number> {
    const sql = `select pg_terminate_backend(pid) as done from pg_stat_activity
      where application_name = $1 and datname = current_database()`;
    return (await this.query<{ done: boolean }>(sql, [worker.id])).filter(({ done }) => done).length;
  }

  async epochs(): Promise<Map<number, { epoch: number; owner: string | null }>> {
    const sql = 'select shard, epoch::int as epoch, owner from shard_lease';
    const rows = await this.query<{ shard: number; epoch: number; owner: string | null }>(sql);
    return new Map(rows.map(({ shard, epoch, owner }) => [shard, { epoch, owner }]));
  }

  /** The shards this worker holds now. */
  async shardsOf(id: string): Promise<number[]> {
    return [...(await this.epochs())].filter(([, { owner }]) => owner === id).map(([shard]) => shard);
  }

  /** Until everything the worker held has another owner and a higher epoch than before. */
  async untilTakenOver(
    id: string,
    before: ReadonlyMap<number, { epoch: number; owner: string | null }>,
  ): Promise<void> {
    const held = [...before].filter(([, { owner }]) => owner === id);
    if (held.length === 0) throw new Error(`${id} held nothing that could be taken over`);
    await this.until(`the shards of ${id} are taken over`, async () => {
      const now = await this.epochs();
      return held.every(([shard, { epoch }]) => {
        const lease = now.get(shard);
        return lease !== undefined && lease.epoch > epoch && lease.owner !== id && lease.owner !== null;
      });
    });
  }

  /** Waits for a condition; a question that fails is asked again. */
  async until(what: string, holds: () => boolean | Promise<boolean>, timeoutMs = LIMIT_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    let trouble = '';
    for (;;) {
      try {
        if (await holds()) return;
      } catch (cause) {
        trouble = String(cause);
      }
      if (performance.now() > deadline)
        throw new Error(this.#complaint(`not within ${timeoutMs} ms: ${what} ${trouble}`));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  #complaint(what: string): string {
    const said = this.workers.map(({ id, log, lastWords }) =>
      [`--- ${id}`, ...log.slice(-8).map((line) => JSON.stringify(line)), ...lastWords.slice(-3)].join('\n'),
    );
    return [what, ...said].join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.remove()));
    await this.client.stop();
    await this.#bus.close();
    await Promise.all([this.store.close(), this.pool.end(), this.farEnd.close()]);
    await Promise.all(this.#proxies.map((proxy) => proxy.close()));
  }
}

/** Every row version of every actor, and what the lease said at that moment, by a way that the runtime does not know of. */
const TRACE = `
  create table if not exists trace (id bigserial primary key, project text, address text, seq bigint, epoch bigint,
    lease_epoch bigint, commit_id text, at timestamptz default clock_timestamp());
  create or replace function trace_actor() returns trigger language plpgsql as $$ begin
    insert into trace (project, address, seq, epoch, lease_epoch, commit_id) values (new.project, new.address, new.seq, new.epoch,
      (select epoch from shard_lease where shard = new.shard), new.last_commit_id);
    return null; end $$;
  create or replace trigger trace_actor after insert or update on actor for each row execute function trace_actor();`;

function urlOf(connection: DatabaseConnection): URL | null {
  return 'connectionString' in connection ? new URL(connection.connectionString) : null;
}

function socketOf(connection: DatabaseConnection): NetConnectOpts {
  const url = urlOf(connection);
  if (url !== null) return { host: url.hostname, port: Number(url.port === '' ? 5432 : url.port) };
  const { host, port } = connection as Exclude<DatabaseConnection, { connectionString: string }>;
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
}

function proxied(connection: DatabaseConnection, port: number): DatabaseConnection {
  const url = urlOf(connection);
  if (url === null) return { ...connection, host: '127.0.0.1', port } as DatabaseConnection;
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return { connectionString: url.href };
}
