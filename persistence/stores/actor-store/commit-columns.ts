import { isOutsideSender } from '#contracts/envelope.ts';
import type { CommitEntry, DomainWrite, EffectRow, TransitionRow } from '#contracts/ports/actor-store.ts';
import { columnValue, domainTables } from '../../domain-tables.ts';
import { BinaryColumn, type ArrayType, type Cell } from '../binary-array.ts';
import { storableText } from '../sql-values.ts';
import { ENTRY, parts, REQUIRES, writePartOf } from './commit-parts.ts';

const json = (value: unknown): string => JSON.stringify(value ?? null);

/**
 * Everything the statement gets, grouped by part, column by column; every part's first column is `n`, the number of its entry.
 * Parts without rows are left out and cost nothing.
 */
export function collectParts(entries: readonly CommitEntry[]): Map<string, BinaryColumn[]> {
  const collected = new Map<string, BinaryColumn[]>();
  const add: Add = (part, row) => {
    let columns = collected.get(part);
    if (columns === undefined) collected.set(part, (columns = columnsOf(part)));
    for (let index = 0; index < row.length; index += 1) columns[index]?.push(row[index] ?? null);
  };
  for (let n = 0; n < entries.length; n += 1) {
    const entry = entries[n];
    if (entry === undefined) continue;
    collectOwn(entry, n, add);
    collectMail(entry, n, add);
    collectTimersAndEffects(entry, n, add);
    collectResults(entry, n, add);
  }
  return collected;
}

const kept = new Map<string, BinaryColumn[]>();

/** Empty columns of the part's types. Collecting and taking are one synchronous stretch, so every statement uses the same ones. */
function columnsOf(part: string): BinaryColumn[] {
  let columns = kept.get(part);
  if (columns === undefined) {
    columns = Object.values(typesOf(part)).map((type) => new BinaryColumn(type));
    kept.set(part, columns);
  }
  for (const column of columns) column.clear();
  return columns;
}

function typesOf(part: string): Readonly<Record<string, ArrayType>> {
  if (part === 'entry') return ENTRY;
  if (part === 'requires') return REQUIRES;
  return part.startsWith('write:') ? writePartOf(part).columns : parts[part as keyof typeof parts].columns;
}

type Add = (part: string, row: Cell[]) => void;

function collectOwn(entry: CommitEntry, n: number, add: Add): void {
  const { next } = entry;
  add('entry', [
    n,
    entry.project,
    entry.address,
    entry.shard,
    entry.epoch,
    entry.expectedSeq,
    next.machineVersion,
    next.defHash,
    next.status,
    next.eventSeq,
    next.snapshotText ?? json(next.snapshot),
    next.fence?.scope ?? null,
    next.fence?.generation ?? null,
  ]);
  if (entry.requires !== null) add('requires', [n, entry.requires.scope, entry.requires.generation]);
  for (const transition of entry.transitions) add('log', logRow(n, transition));
}

function logRow(n: number, row: TransitionRow): Cell[] {
  return [
    n,
    storableText(row.messageId),
    isOutsideSender(row.from),
    row.index,
    storableText(row.from),
    storableText(row.eventType),
    row.payloadHash,
    row.outcome,
    json(row.stateBefore),
    json(row.stateAfter),
    json(row.detail),
    json(row.reply),
    Math.round(row.durationMicros),
  ];
}

function collectMail(entry: CommitEntry, n: number, add: Add): void {
  for (const { mailId, priority } of entry.consumedMail) {
    add('consumed', [n, entry.shard, priority === 'operator' ? 0 : 1, mailId]);
  }
  for (const { envelope, text, shard, mailId } of entry.outgoing) {
    const priority = envelope.priority === 'operator' ? 0 : 1;
    add('outgoing', [n, mailId, envelope.to, envelope.messageId, shard, priority, text]);
  }
  for (const { messageId, envelope, reason } of entry.quarantined) {
    add('quarantined', [n, storableText(messageId), json(envelope), storableText(reason)]);
  }
  for (const { messageId, envelope, reason } of entry.deadLetters) {
    add('deadLetters', [n, storableText(messageId), json(envelope), storableText(reason)]);
  }
}

function collectTimersAndEffects(entry: CommitEntry, n: number, add: Add): void {
  const timers = new Map(entry.timersSet.map((timer) => [timer.timerId, timer]));
  for (const timerId of entry.timersDeleted) if (!timers.has(timerId)) add('timersDeleted', [n, timerId]);
  for (const timer of timers.values()) {
    add('timersSet', [n, timer.timerId, timer.occurrence, timer.dueAtMs, json(timer.event)]);
  }
  for (const effectId of entry.effectsDeleted) add('effectsDeleted', [n, effectId]);
  for (const effect of entry.effectsAdded) add('effectsAdded', effectRow(n, effect));
}

function effectRow(n: number, row: EffectRow): Cell[] {
  return [
    n,
    row.effectId,
    row.invokeId,
    row.src,
    row.class,
    json(row.input),
    row.state,
    row.attempt,
    row.notBeforeMs,
    row.fence?.scope ?? null,
    row.fence?.generation ?? null,
  ];
}

function collectResults(entry: CommitEntry, n: number, add: Add): void {
  for (const { stream, seq, type, data } of entry.published) add('published', [n, stream, seq, type, json(data)]);
  for (const { scope, generation, open } of entry.fencesSet) add('fencesSet', [n, scope, generation, open]);
  for (const write of entry.writes) collectWrite(write, n, add);
}

/** `write:<table>:<columns>`: rows that fill the same columns of the same table share one insert. */
function collectWrite({ table, row }: DomainWrite, n: number, add: Add): void {
  const known = domainTables.get(table);
  if (known === undefined) return;
  const columns = known.columns.filter((column) => row[column] !== undefined);
  const cells = columns.map((column) => {
    const value = columnValue(known, column, row[column]);
    return typeof value === 'string' && known.types[column] !== 'json' ? storableText(value) : value;
  });
  add(`write:${table}:${columns.join(',')}`, [n, ...cells]);
}
