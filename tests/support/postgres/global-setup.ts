// Test database servers
//
// A throw-away PostgreSQL of the version that comes along, for every test; beside it, for the tests of the stores, the one
// named by TEST_DATABASE_URL or the one that answers at the standard port.
// Owns:     the first server and its data folder; a migrated template database on each.
// Owns not: the databases of test files (test-database.ts).
//
//   1  Several projects of one run share the servers; the last to finish stops them.
//   2  Nothing survives the run: the folder is deleted, and databases on an outside server are dropped; those of a run that
//      was killed go with a later run.
//   3  An outside server that is named must answer; one that is only looked for may be missing, which the tests say.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#persistence/migrate.ts';
import { startPostgres } from '#runtime/main/postgres/supervisor.ts';
import { connectionOptions, type OutsideServer, type TestServer } from './test-server.ts';

const STANDARD_URL = 'postgres://postgres@127.0.0.1:5432/postgres';
const OLDEST_VERSION = 15;
const HOUR_MS = 3_600_000;

type Started = { readonly server: TestServer; readonly outside: OutsideServer; stop(): Promise<void> };
type Shared = { users: number; readonly started: Promise<Started> };
const registry = globalThis as typeof globalThis & { yunsouTestPostgres?: Shared };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (registry.yunsouTestPostgres ??= { users: 0, started: startServers() });
  shared.users += 1;
  const { server, outside, stop } = await shared.started;
  project.provide('postgres', server);
  project.provide('outsidePostgres', outside);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete registry.yunsouTestPostgres;
    await stop();
  };
}

async function startServers(): Promise<Started> {
  const template = `yunsou_template_${process.pid}_${Date.now().toString(36)}`;
  const outside = await findOutside(template);
  const folder = mkdtempSync(join(tmpdir(), 'yunsou-test-'));
  const running = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  const { host, port, user, database } = running.connection;
  const unnamed: TestServer = { name: '', host, port, user, database, template };
  const server = { ...unnamed, name: `PostgreSQL ${await versionOf(unnamed)}, which comes along` };
  await createTemplate(server);
  return {
    server,
    outside,
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
      if ('url' in outside) await runOnServer(outside, `drop database if exists ${template} with (force)`);
    },
  };
}

async function findOutside(template: string): Promise<OutsideServer> {
  const named = process.env['TEST_DATABASE_URL'] ?? '';
  const server: TestServer = { name: '', url: named === '' ? STANDARD_URL : named, template };
  try {
    const version = await versionOf(server);
    if (version < OLDEST_VERSION) return { leftOut: `PostgreSQL ${version} is older than ${OLDEST_VERSION}` };
    await sweepKilledRuns(server);
    await createTemplate(server);
    const from = named === '' ? 'at the standard port' : 'of TEST_DATABASE_URL';
    return { ...server, url: server.url ?? '', name: `PostgreSQL ${version} ${from}` };
  } catch (cause) {
    if (named !== '') throw new Error('the server of TEST_DATABASE_URL cannot be used', { cause });
    return { leftOut: 'TEST_DATABASE_URL is not set, and no server lets postgres in at 127.0.0.1:5432' };
  }
}

/** Names hold the pid of the run and when it began; another machine's runs are too young for an hour. */
async function sweepKilledRuns(server: TestServer): Promise<void> {
  const names = await runOnServer<{ name: string }>(
    server,
    `select datname as name from pg_database where datname ~ '^yunsou_(template|t)_[0-9]+_[0-9a-z]+'`,
  );
  for (const { name } of names) {
    const [, , pid, began] = name.split('_');
    if (Date.now() - Number.parseInt(began ?? '', 36) < HOUR_MS || isAlive(Number(pid))) continue;
    await runOnServer(server, `drop database if exists ${name}`);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function createTemplate(server: TestServer): Promise<void> {
  await runOnServer(server, `create database ${server.template}`);
  await migrate(connectionOptions(server, server.template));
}

async function versionOf(server: TestServer): Promise<number> {
  const [row] = await runOnServer<{ version: string }>(
    server,
    `select current_setting('server_version_num') as version`,
  );
  return Math.floor(Number(row?.version) / 10_000);
}

async function runOnServer<Row extends object>(server: TestServer, sql: string): Promise<Row[]> {
  const client = new pg.Client({ ...connectionOptions(server), connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestServer;
    outsidePostgres: OutsideServer;
  }
}
