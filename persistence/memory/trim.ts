import type { ActorStore } from '#contracts/ports/actor-store.ts';
import { isOutsideSender } from '#contracts/envelope.ts';
import { holdsLease, type ActorTables, type Cell } from './actor-tables.ts';

export function trimMethod(tables: ActorTables, nowMs: () => number): ActorStore['trim'] {
  return (owner, leases, olderThanMs, limit) => {
    const cutoffMs = nowMs() - olderThanMs;
    const held = leases.filter(({ shard, epoch }) => holdsLease(tables, owner, shard, epoch));
    const cells = held.flatMap(({ shard }) => [...(tables.byShard[shard] ?? [])]).filter((cell) => cell.row !== null);
    let trimmed = 0;
    for (const cell of cells) {
      trimmed += trimLog(cell, cutoffMs, limit - trimmed);
      trimmed += trimEvents(tables, cell, cutoffMs, limit - trimmed);
    }
    return Promise.resolve(trimmed);
  };
}

/** Rows of messages from outside keep what answers a repetition. */
function trimLog(cell: Cell, cutoffMs: number, limit: number): number {
  let trimmed = 0;
  for (const [index, row] of [...cell.transitions.entries()].toReversed()) {
    const isThin = isOutsideSender(row.from) && row.detail === null;
    if (trimmed >= limit || row.atMs >= cutoffMs || isThin) continue;
    trimmed += 1;
    if (isOutsideSender(row.from)) {
      cell.transitions[index] = { ...row, stateBefore: null, stateAfter: null, detail: null };
    } else cell.transitions.splice(index, 1);
  }
  return trimmed;
}

function trimEvents(tables: ActorTables, cell: Cell, cutoffMs: number, limit: number): number {
  const key = `${cell.project}\n${cell.address.replace('/', ':')}`;
  const events = tables.events.get(key);
  if (events === undefined || cell.row?.status === 'active') return 0;
  const old = events.filter((event) => event.atMs < cutoffMs).slice(0, limit);
  const gone = new Set(old);
  tables.events.set(
    key,
    events.filter((event) => !gone.has(event)),
  );
  return old.length;
}
