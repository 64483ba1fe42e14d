import type { ProjectLogPlace } from '#contracts/ports/actor-store.ts';

/** What a tail hands on, at most ten times a second. A gap comes before the rows of its batch. */
export type Batch<Row> = { readonly rows: readonly Row[]; readonly cursor: string; readonly gap: Gap | null };

/** Transitions that were left out; `after` is where reading them again begins. */
export type Gap = { readonly transitions: number; readonly isExact: boolean; readonly after: string };

export type Sink<Row> = {
  /** False while the reader has not taken what it was given. */
  isFree(): boolean;
  send(batch: Batch<Row>): void;
  /** The log cannot be read; the reader is sent away and comes back with its cursor. */
  fail(cause: unknown): void;
};

export const BATCH_EVERY_MS = 100;
export const BATCH_ROWS = 200;

/** Where the log of a project begins at a time; times beyond the reach of the log are its end. */
export function startOfLog(atMs: number): ProjectLogPlace {
  const atMicros = Math.min(Math.max(0, atMs) * 1000, Number.MAX_SAFE_INTEGER);
  return { atMicros, address: '', seq: 0, index: 0 };
}

/** A commit may show up in the log this long after it began: no statement runs longer. */
export const COMMIT_UNDER_WAY_MS = 20_000;
