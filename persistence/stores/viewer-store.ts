import type { ViewerStore } from '#contracts/ports/viewer.ts';
import type { DatabaseConnection } from '../connection.ts';
import { StatementPool } from '../pools.ts';
import { admissionMethods } from './viewer-store/admission.ts';
import { feedMethods } from './viewer-store/feed.ts';
import { readMethods } from './viewer-store/reading.ts';

export type PostgresViewerStore = ViewerStore & { close(): Promise<void> };

/** What browser sessions show, in PostgreSQL, whose clock tells how old it is. */
export function createPostgresViewerStore(connection: DatabaseConnection): PostgresViewerStore {
  const pool = new StatementPool(connection, { max: 2, statementTimeoutMs: 10_000 });
  return { ...feedMethods(pool), ...readMethods(pool), ...admissionMethods(pool), close: () => pool.close() };
}
