import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseConnection } from '#persistence/connection.ts';
import { migrate } from '#persistence/migrate.ts';
import { startPostgres } from '#runtime/main/postgres/supervisor.ts';

export type BenchDatabase = {
  /** Plain JSON, so that it can be handed to other processes. */
  readonly connection: DatabaseConnection;
  /** Version and durability of the server, as it answers. */
  readonly server: { readonly version: string; readonly fsync: string };
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
};

/** A database of its own with the newest schema: on the server at `url`, else on a supervised one in a temporary folder, with fsync on. */
export async function openBenchDatabase(url: string | undefined): Promise<BenchDatabase> {
  if (url !== undefined && url !== '') return openOn({ connectionString: url }, () => Promise.resolve());
  const folder = await mkdtemp(join(tmpdir(), 'yunsou-bench-'));
  const server = await startPostgres({ dataDir: join(folder, 'pg'), durable: true });
  return openOn(server.connection, async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
}

async function openOn(base: DatabaseConnection, stopServer: () => Promise<void>): Promise<BenchDatabase> {
  const name = `yunsou_bench_${process.pid}_${Date.now().toString(36)}`;
  const drop = async (): Promise<void> => {
    await run(base, (admin) => admin.query(`drop database if exists ${name} with (force)`));
  };
  try {
    await run(base, (client) => client.query(`create database ${name}`));
    return await openNamed(withDatabase(base, name), async () => {
      await drop();
      await stopServer();
    });
  } catch (cause) {
    await drop().catch(() => undefined);
    await stopServer();
    throw cause;
  }
}

async function openNamed(connection: DatabaseConnection, remove: () => Promise<void>): Promise<BenchDatabase> {
  await migrate(connection);
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, [...values])).rows;
  const [setting] = await query<{ version: string; fsync: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync`,
  );
  return {
    connection,
    server: setting ?? { version: 'unknown', fsync: 'unknown' },
    query,
    async stop() {
      await client.end();
      await remove();
    },
  };
}

function withDatabase(base: DatabaseConnection, name: string): DatabaseConnection {
  if (!('connectionString' in base)) return { ...base, database: name };
  const url = new URL(base.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.toString() };
}

async function run(connection: DatabaseConnection, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
