import type { DatabaseConnection } from './connection.ts';
/** Brings the database to the newest schema. */
export async function migrate(_connection: DatabaseConnection): Promise<void> {}
