// Test database server
//
// One throw-away PostgreSQL for the whole test run, or the outside one named by TEST_DATABASE_URL.
// Owns:     the server and its data folder; a migrated template database.
// Owns not: the databases of test files (test-database.ts).
//
//   1  Several projects of one run share one server; the last to finish stops it.
//   2  Nothing survives the run: the folder is deleted, and databases on an outside server are dropped.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '#persistence/migrate.ts';
import { startPostgres } from '#runtime/main/postgres/supervisor.ts';
import { connectionOptions, type TestServer } from './test-server.ts';

type Shared = { users: number; started: Promise<{ server: TestServer; stop: () => Promise<void> }> };
const registry = globalThis as typeof globalThis & { yunsouTestPostgres?: Shared };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (registry.yunsouTestPostgres ??= { users: 0, started: startServer() });
  shared.users += 1;
  const { server, stop } = await shared.started;
  project.provide('postgres', server);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete registry.yunsouTestPostgres;
    await stop();
  };
}

async function startServer(): Promise<{ server: TestServer; stop: () => Promise<void> }> {
  const template = `yunsou_template_${process.pid}_${Date.now().toString(36)}`;
  const outside = process.env['TEST_DATABASE_URL'];
  if (outside !== undefined && outside !== '') {
    const server: TestServer = { url: outside, template };
    await createTemplate(server);
    return { server, stop: () => runOnServer(server, `drop database if exists ${template} with (force)`) };
  }
  const folder = mkdtempSync(join(tmpdir(), 'yunsou-test-'));
  const running = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  const { host, port, user, database } = running.connection;
  const server: TestServer = { host, port, user, database, template };
  await createTemplate(server);
  return {
    server,
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createTemplate(server: TestServer): Promise<void> {
  await runOnServer(server, `create database ${server.template}`);
  await migrate(connectionOptions(server, server.template));
}

async function runOnServer(server: TestServer, sql: string): Promise<void> {
  const client = new pg.Client(connectionOptions(server));
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestServer;
  }
}
