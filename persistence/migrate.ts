// Schema
//
// Owns:     bringing a database to the newest schema.
// Owns not: the steps (migrations/), the description of the tables (entities/, domain-tables.ts).
//
//   PG10  Two processes may migrate at once, and again.
//   PG11  The entities describe the very schema that the migrations make.
//   PG12  The registry of writable tables names every column, its type, and the key.
//   PG13  A database that cannot be reached is one clear failure that never shows a password.

import pg from 'pg';
import { PlatformError } from '#contracts/errors.ts';
import type { DatabaseConnection } from './connection.ts';
import { databaseError } from './database-failure.ts';
import { openOrm } from './orm.ts';

/** Any constant: it only has to be the same in every process that migrates. */
const MIGRATION_LOCK = 7_300_201;

/** Brings the database to the newest schema. Two processes may call it at once: the second waits, then finds nothing to do. */
export async function migrate(connection: DatabaseConnection): Promise<void> {
  const guard = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  // A lost connection shows up in the query that needs it.
  guard.on('error', () => undefined);
  try {
    await guard.connect();
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const orm = await openOrm(connection, 1);
    try {
      await orm.getMigrator().up();
    } finally {
      await orm.close(true);
    }
  } catch (error) {
    throw databaseError(reasonOf(error), connection, 'Bringing the database up to date failed');
  } finally {
    await guard.end().catch(() => undefined);
  }
}

/** A step that refuses says why in a sentence of its own, which the migrator wraps. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof PlatformError ? error.cause : error;
}
