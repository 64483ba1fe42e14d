import type { CommitEntry, CommitVerdict } from '#contracts/ports/actor-store.ts';
import { isDataError } from '../../database-failure.ts';
import { describeBadWrite } from '../../domain-tables.ts';
import type { StatementPool } from '../../pools.ts';
import { collectParts } from './commit-columns.ts';
import { commitStatement } from './commit-statement.ts';

export type Refusal = { readonly entry: CommitEntry; readonly reason: string };
export type CommitParts = {
  readonly writers: StatementPool;
  /** Told why an entry was refused; the verdict alone does not say it. */
  readonly onRefused: (refusal: Refusal) => void;
};

type NotLanded = { n: number; has_lease: boolean; has_fence: boolean; has_seq: boolean };

/** Lands the entries in one statement (more only when one actor has several entries, or a row is bad). */
export async function commitEntries(
  parts: CommitParts,
  owner: string,
  commitId: string,
  entries: readonly CommitEntry[],
): Promise<CommitVerdict[]> {
  const verdicts = new Map<CommitEntry, CommitVerdict>();
  for (const wave of splitByActor(entries)) {
    const sound = wave.filter((entry) => {
      const reason = describeBadEntry(entry);
      if (reason !== null) refuse(parts, verdicts, entry, reason);
      return reason === null;
    });
    await landWave(parts, { owner, commitId, verdicts }, sound);
  }
  return entries.map((entry) => verdicts.get(entry) ?? 'refused');
}

type Run = {
  readonly owner: string;
  readonly commitId: string;
  readonly verdicts: Map<CommitEntry, CommitVerdict>;
};

async function landWave(parts: CommitParts, run: Run, entries: readonly CommitEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const statement = commitStatement(run.owner, run.commitId, collectParts(entries));
  let notLanded: NotLanded[];
  try {
    notLanded = await parts.writers.runOnce<NotLanded>(statement, isDataError);
  } catch (error) {
    if (!isDataError(error)) throw error;
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) {
      refuse(parts, run.verdicts, only, error instanceof Error ? error.message : String(error));
      return;
    }
    // Nothing of the statement was applied. Halving finds the bad entry without giving up the good ones.
    const middle = Math.ceil(entries.length / 2);
    await landWave(parts, run, entries.slice(0, middle));
    await landWave(parts, run, entries.slice(middle));
    return;
  }
  for (const entry of entries) run.verdicts.set(entry, 'committed');
  for (const row of notLanded) {
    const entry = entries[row.n];
    if (entry !== undefined) run.verdicts.set(entry, verdictOf(row));
  }
}

function verdictOf(row: NotLanded): CommitVerdict {
  if (!row.has_lease) return 'lost_lease';
  if (!row.has_seq) return 'stale_sequence';
  // A seq that moved while the statement waited is not in its snapshot, and then the fence is not to blame.
  return row.has_fence ? 'stale_sequence' : 'fence_moved';
}

function refuse(
  parts: CommitParts,
  verdicts: Map<CommitEntry, CommitVerdict>,
  entry: CommitEntry,
  reason: string,
): void {
  verdicts.set(entry, 'refused');
  parts.onRefused({ entry, reason });
}

function describeBadEntry(entry: CommitEntry): string | null {
  for (const { table, row } of entry.writes) {
    const reason = describeBadWrite(table, row);
    if (reason !== null) return reason;
  }
  return null;
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
