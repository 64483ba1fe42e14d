import type { ActorStore, DueEffect, DueTimer } from '#contracts/ports/actor-store.ts';
import { copy, type ActorTables, type Cell, type StoredEffect } from './actor-tables.ts';

type Readers = Pick<ActorStore, 'dueTimers' | 'nextTimerDueAtMs' | 'dueEffects' | 'listActors' | 'readEvents'>;

/** The reading half of the in-memory store. */
export function readers(tables: ActorTables): Readers {
  const cellsOf = (shards: readonly number[]) => shards.flatMap((shard) => [...(tables.byShard[shard] ?? [])]);
  return {
    dueTimers: (shards, nowMs, limit) =>
      Promise.resolve(
        cellsOf(shards)
          .flatMap((cell) => timersOf(cell))
          .filter((due) => due.timer.dueAtMs <= nowMs)
          .sort((a, b) => a.timer.dueAtMs - b.timer.dueAtMs)
          .slice(0, limit),
      ),
    nextTimerDueAtMs: (shards) => {
      const dues = cellsOf(shards).flatMap((cell) => timersOf(cell).map((due) => due.timer.dueAtMs));
      return Promise.resolve(dues.length === 0 ? null : dues.reduce((a, b) => Math.min(a, b)));
    },
    dueEffects: (shards, nowMs, limit) =>
      Promise.resolve(
        cellsOf(shards)
          .flatMap((cell) => effectsOf(tables, cell, nowMs))
          .slice(0, limit),
      ),
    listActors: (project, filter) => {
      const search = filter.search?.toLowerCase();
      const rows = [...tables.cells.values()].flatMap((cell) => (cell.row === null ? [] : [cell.row]));
      const found = rows
        .filter((row) => row.project === project)
        .filter((row) => filter.kind === undefined || row.address.startsWith(`${filter.kind}/`))
        .filter((row) => filter.status === undefined || row.status === filter.status)
        .filter((row) => search === undefined || row.address.toLowerCase().includes(search))
        .filter((row) => filter.after === undefined || row.address > filter.after)
        .sort((a, b) => (a.address < b.address ? -1 : 1));
      return Promise.resolve(copy(found.slice(0, filter.limit)));
    },
    readEvents: (project, stream, afterSeq, limit) => {
      const rows = tables.events.get(`${project}\n${stream}`) ?? [];
      return Promise.resolve(copy(rows.filter((row) => row.seq > afterSeq).slice(0, limit)));
    },
  };
}

function timersOf(cell: Cell): DueTimer[] {
  const { project, address, shard } = cell;
  return [...cell.timers.values()].map((timer) => ({ project, address, shard, timer: copy(timer) }));
}

function effectsOf(tables: ActorTables, cell: Cell, nowMs: number): DueEffect[] {
  const { project, address, shard } = cell;
  const epoch = tables.leases[shard]?.epoch ?? 0;
  return [...cell.effects.values()]
    .filter((effect) => isDue(effect, epoch, nowMs))
    .map((effect) => ({ project, address, shard, effect: copy(effect.row) }));
}

function isDue({ row, dispatchedEpoch }: StoredEffect, epoch: number, nowMs: number): boolean {
  if (row.state === 'pending') return row.notBeforeMs <= nowMs;
  return dispatchedEpoch !== null && dispatchedEpoch < epoch;
}
