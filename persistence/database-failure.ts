import { failure, PlatformError } from '#contracts/errors.ts';
import { describeConnection, type DatabaseConnection } from './connection.ts';

/** SQLSTATE of a server error, null when the error is none (connection lost, timed out on our side). */
export function sqlStateOf(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E') ? code : null;
}

/** The statement was rolled back by the server for a reason that lies in its own data: repeating it as it is cannot help. */
export function isDataError(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== null && (/^(22|23|21|54)/.test(state) || state === '0A000');
}

/** Deadlock or serialisation failure: nothing was applied, the same statement may simply run again. */
export function isRepeatable(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40P01' || state === '40001';
}

/** The server has as many connections as it may have. */
export function hasNoRoom(error: unknown): boolean {
  return sqlStateOf(error) === '53300';
}

/** The server itself answered, so nothing of the statement was applied. Connection-class answers may race with a commit. */
export function surelyNotApplied(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== null && !state.startsWith('08') && !/^57P0[1-5]$/.test(state);
}

/** Wraps what the driver threw; messages name the database, never its password. */
export function databaseError(error: unknown, connection: DatabaseConnection, what: string): PlatformError {
  if (error instanceof PlatformError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const text = `${what} (${describeConnection(connection)}): ${reason}`;
  return new PlatformError(failure('store.unavailable', text, { retry: { kind: 'backoff' } }), { cause: error });
}
