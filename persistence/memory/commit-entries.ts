import { isOutsideSender } from '#contracts/envelope.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorRow, CommitEntry, CommitVerdict } from '#contracts/ports/actor-store.ts';
import {
  copy,
  deleteMail,
  findCell,
  holdsLease,
  insertMail,
  isFenceOpen,
  openCell,
  type ActorTables,
  type Cell,
} from './actor-tables.ts';

/** How rows of a domain table are told apart, and whether a later row replaces the first. */
export type WritePolicy = { readonly key: readonly string[]; readonly conflict: 'ignore' | 'replace' };

export type CommitContext = {
  readonly tables: ActorTables;
  readonly owner: string;
  readonly commitId: string;
  readonly nowMs: number;
  readonly policyOf: (table: string) => WritePolicy;
};

/** Judges all entries against the state before the statement, then applies those that passed. */
export function commitEntries(context: CommitContext, entries: readonly CommitEntry[]): CommitVerdict[] {
  const verdicts = entries.map((entry) => judge(context, entry));
  entries.forEach((entry, index) => {
    if (verdicts[index] === 'committed') apply(context, entry);
  });
  return verdicts;
}

function judge({ tables, owner }: CommitContext, entry: CommitEntry): CommitVerdict {
  if (!holdsLease(tables, owner, entry.shard, entry.epoch)) return 'lost_lease';
  const seq = findCell(tables, entry.project, entry.address)?.row?.seq ?? 0;
  if (seq !== entry.expectedSeq) return 'stale_sequence';
  return isFenceOpen(tables, entry.requires) ? 'committed' : 'fence_moved';
}

function apply(context: CommitContext, entry: CommitEntry): void {
  const { tables, commitId } = context;
  const cell = openCell(tables, entry.project, entry.address, entry.shard);
  const { snapshotText, snapshot, ...next } = entry.next;
  const row: ActorRow = {
    ...next,
    project: entry.project,
    address: entry.address,
    shard: entry.shard,
    seq: entry.expectedSeq + 1,
    epoch: entry.epoch,
    lastCommitId: commitId,
    snapshot: JSON.parse(snapshotText ?? JSON.stringify(snapshot)) as Json,
  };
  cell.row = row;
  for (const { mailId } of entry.consumedMail) deleteMail(cell, mailId);
  logTransitions(context, cell, entry);
  for (const timerId of entry.timersDeleted) cell.timers.delete(timerId);
  for (const timer of entry.timersSet) cell.timers.set(timer.timerId, copy(timer));
  for (const effectId of entry.effectsDeleted) cell.effects.delete(effectId);
  for (const effect of entry.effectsAdded) {
    cell.effects.set(effect.effectId, { row: copy(effect), dispatchedEpoch: null });
  }
  for (const fence of entry.fencesSet) {
    const stored = tables.fences.get(fence.scope);
    if (stored === undefined || fence.generation >= stored.generation) tables.fences.set(fence.scope, { ...fence });
  }
  for (const message of entry.outgoing) insertMail(tables, message);
  writeRows(context, entry);
  publishEvents(context, entry);
  const { project, address } = entry;
  const place = { project, address, atMs: context.nowMs, mailId: 0, payloadHash: '' };
  for (const item of entry.quarantined)
    tables.quarantine.push({ ...copy(item), ...place, id: tables.quarantine.length + 1 });
  for (const item of entry.deadLetters)
    tables.deadLetters.push({ ...copy(item), ...place, id: tables.deadLetters.length + 1 });
}

function logTransitions(context: CommitContext, cell: Cell, entry: CommitEntry): void {
  const seq = entry.expectedSeq + 1;
  for (const transition of entry.transitions) {
    const kept = copy(transition);
    cell.transitions.push({ ...kept, seq, defHash: entry.next.defHash, atMs: context.nowMs });
    const { messageId, outcome, payloadHash, reply } = kept;
    if (isOutsideSender(kept.from))
      cell.consumed.set(messageId, { outcome, seq, eventSeq: entry.next.eventSeq, payloadHash, reply });
  }
}

function writeRows({ tables, policyOf }: CommitContext, entry: CommitEntry): void {
  for (const { table, row } of entry.writes) {
    const policy = policyOf(table);
    let rows = tables.domain.get(table);
    if (rows === undefined) tables.domain.set(table, (rows = new Map()));
    const key = JSON.stringify([entry.project, ...policy.key.map((column) => row[column] ?? null)]);
    const known = rows.get(key);
    if (known !== undefined && policy.conflict === 'ignore') continue;
    rows.set(key, { ...known, ...copy(row), project: entry.project });
  }
}

function publishEvents({ tables, nowMs }: CommitContext, entry: CommitEntry): void {
  for (const event of entry.published) {
    const key = `${entry.project}\n${event.stream}`;
    let events = tables.events.get(key);
    if (events === undefined) tables.events.set(key, (events = []));
    events.push({ ...copy(event), atMs: nowMs });
  }
}
