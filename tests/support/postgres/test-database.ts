import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { DatabaseConnection } from '#persistence/connection.ts';
import { connectionOptions } from './test-server.ts';

export type TestDatabase = {
  readonly connection: DatabaseConnection;
  /** Drops it, also under open connections. */
  drop(): Promise<void>;
};

/** A fresh migrated database of its own for a test file. Needs the PostgreSQL global setup of the project. */
export async function createTestDatabase(options: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  const server = inject('postgres');
  const name = `t_${randomBytes(6).toString('hex')}`;
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
