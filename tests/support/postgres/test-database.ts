import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, inject, it } from 'vitest';
import type { DatabaseConnection } from '#persistence/connection.ts';
import { connectionOptions, type TestServer } from './test-server.ts';

export type TestDatabase = {
  readonly connection: DatabaseConnection;
  /** Drops it, also under open connections. */
  drop(): Promise<void>;
};

/** Registers tests on every server of this run; says which one is left out, and why. */
export function onEveryServer(ruleId: string, register: (server: TestServer) => void): void {
  register(inject('postgres'));
  const outside = inject('outsidePostgres');
  if ('url' in outside) register(outside);
  else {
    describe('a second PostgreSQL', () => {
      it.skip(`[${ruleId}] left out: ${outside.leftOut}`, () => {});
    });
  }
}

type DatabaseOptions = {
  readonly empty?: boolean;
  /** Default: the one that comes along. */
  readonly server?: TestServer;
};

/** A fresh migrated database of its own for a test file. Needs the PostgreSQL global setup of the project. */
export async function createTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const server = options.server ?? inject('postgres');
  const name = `${server.template.replace('template', 't')}_${randomBytes(6).toString('hex')}`;
  const admin = async (sql: string): Promise<void> => {
    const client = new pg.Client(connectionOptions(server));
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await admin(
    options.empty === true ? `create database ${name}` : `create database ${name} template ${server.template}`,
  );
  return {
    connection: connectionOptions(server, name),
    drop: () => admin(`drop database if exists ${name} with (force)`),
  };
}
