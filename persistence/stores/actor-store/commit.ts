import { fail } from '#contracts/errors.ts';
import type { CommitEntry, CommitVerdict } from '#contracts/ports/actor-store.ts';
import { isDataError } from '../../database-failure.ts';
import { describeBadWrite } from '../../domain-tables.ts';
import type { StatementPool } from '../../pools.ts';
import { collectParts } from './commit-columns.ts';
import { commitStatement } from './commit-statement.ts';

type Batch = { readonly owner: string; readonly commitId: string; readonly entries: readonly CommitEntry[] };
type NotLanded = { n: number; has_lease: boolean; has_fence: boolean; has_seq: boolean };

/**
 * Lands the entries in one statement; several entries of one actor go one statement after the other.
 * Throws `request.invalid` when the database cannot hold one of them: that statement then applied nothing.
 */
export async function commitEntries(writers: StatementPool, batch: Batch): Promise<CommitVerdict[]> {
  for (const { address, writes } of batch.entries) {
    for (const { table, row } of writes) {
      const reason = describeBadWrite(table, row);
      if (reason !== null) fail('request.invalid', `${address} writes what cannot be stored: ${reason}`);
    }
  }
  const verdicts = new Map<CommitEntry, CommitVerdict>();
  for (const entries of splitByActor(batch.entries)) {
    const notLanded = await land(writers, { ...batch, entries });
    for (const row of notLanded) {
      const entry = entries[row.n];
      if (entry !== undefined) verdicts.set(entry, verdictOf(row));
    }
  }
  if (verdicts.size === 0) return batch.entries.map(() => 'committed');
  return batch.entries.map((entry) => verdicts.get(entry) ?? 'committed');
}

async function land(writers: StatementPool, { owner, commitId, entries }: Batch): Promise<NotLanded[]> {
  try {
    const rows = {
      collected: collectParts(entries),
      isNew: entries.some((entry) => entry.expectedSeq === 0),
      isOld: entries.some((entry) => entry.expectedSeq !== 0),
    };
    return await writers.runOnce<NotLanded>(commitStatement(owner, commitId, rows), isDataError);
  } catch (error) {
    if (!isDataError(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const actors = entries.length === 1 ? (entries[0]?.address ?? '') : `one of ${entries.length} actors`;
    return fail('request.invalid', `The database cannot hold what ${actors} commits: ${reason}`, { cause: error });
  }
}

function verdictOf(row: NotLanded): CommitVerdict {
  if (!row.has_lease) return 'lost_lease';
  if (!row.has_seq) return 'stale_sequence';
  // A seq that moved while the statement waited is not in its snapshot, and then the fence is not to blame.
  return row.has_fence ? 'stale_sequence' : 'fence_moved';
}

/** `update … from` applies one of several rows for the same actor at random: such entries go one after the other. */
function splitByActor(entries: readonly CommitEntry[]): CommitEntry[][] {
  const waves: CommitEntry[][] = [];
  const seen = new Map<string, number>();
  for (const entry of entries) {
    const key = `${entry.project}\n${entry.address}`;
    const wave = seen.get(key) ?? 0;
    seen.set(key, wave + 1);
    (waves[wave] ??= []).push(entry);
  }
  return waves;
}
