// The ActorStore in memory: the port's semantics without a database.
//
// Owns:     all tables (actor-tables.ts) and the store's clock.
// Owns not: any decision of the runtime; it only accepts or refuses.
//
//   1  Every method reads and writes in one synchronous stretch, so calls never interleave.
//   2  What goes in and out is a copy: nobody holds a reference into the tables.

import { fail } from '#contracts/errors.ts';
import type { ActorStore, EffectKey, LoadedActor, ShardLease } from '#contracts/ports/actor-store.ts';
import {
  byPriorityThenId,
  copy,
  deleteMail,
  emptyTables,
  findCell,
  holdsLease,
  insertMail,
  isFenceOpen,
  mailRow,
  postMail,
  type ActorTables,
  type Cell,
  type StoredEffect,
  type StoredMail,
} from './actor-tables.ts';
import { commitEntries, type WritePolicy } from './commit-entries.ts';
import { operatorMethods } from './operators.ts';
import { readers } from './read-actors.ts';
import { trimMethod } from './trim.ts';
import { logReaders } from './read-log.ts';

export type MemoryActorStoreOptions = {
  readonly nowMs: () => number;
  /** The most mail one receiver may have; outside mail beyond it is refused. Default 4096. */
  readonly maxMailPerActor?: number;
  /** Default: every table accepts rows, told apart by `id`, the later one replaces. */
  readonly policyOf?: (table: string) => WritePolicy;
};

const REPLACE_BY_ID: WritePolicy = { key: ['id'], conflict: 'replace' };

export type MemoryActorStore = ActorStore & {
  /** For assertions of tests and for the in-memory twins of the read models. */
  readonly tables: ActorTables;
};

export function createMemoryActorStore(options: MemoryActorStoreOptions): MemoryActorStore {
  const tables = emptyTables();
  const maxMail = options.maxMailPerActor ?? 4096;
  const policyOf = options.policyOf ?? (() => REPLACE_BY_ID);
  return {
    tables,
    ...leaseMethods(tables, options.nowMs),
    ...mailMethods(tables, maxMail, options.nowMs),
    ...effectMethods(tables),
    ...readers(tables),
    trim: trimMethod(tables, options.nowMs),
    ...logReaders(tables),
    ...operatorMethods(tables, options.nowMs),
    loadActors: (project, addresses) =>
      settled(() => addresses.map((address) => loadCell(findCell(tables, project, address))).filter((a) => a !== null)),
    commit: (owner, commitId, entries) =>
      settled(() => commitEntries({ tables, owner, commitId, nowMs: options.nowMs(), policyOf }, entries)),
  };
}

function settled<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

function loadCell(cell: Cell | undefined): LoadedActor | null {
  if (cell === undefined || cell.row === null) return null;
  return copy({
    row: cell.row,
    timers: [...cell.timers.values()],
    effects: [...cell.effects.values()].map((effect) => effect.row),
  });
}

type LeaseMethods = Pick<ActorStore, 'beat' | 'liveWorkers' | 'acquireShards' | 'releaseShards' | 'leases'>;

function leaseMethods(tables: ActorTables, nowMs: () => number): LeaseMethods {
  const isLive = (worker: string, deadAfterMs: number) => {
    const beat = tables.workers.get(worker);
    return beat !== undefined && nowMs() - beat.beatAtMs < deadAfterMs;
  };
  return {
    beat: (worker, pools) => settled(() => void tables.workers.set(worker, { beatAtMs: nowMs(), pools: [...pools] })),
    liveWorkers: (deadAfterMs) =>
      settled(() =>
        [...tables.workers]
          .filter(([id]) => isLive(id, deadAfterMs))
          .map(([id, { pools }]) => ({ id, pools: [...pools] }))
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      ),
    acquireShards: (worker, shards, deadAfterMs) =>
      settled(() => {
        const taken: ShardLease[] = [];
        for (const shard of shards) {
          const lease = tables.leases[shard];
          if (lease === undefined) continue;
          const { owner } = lease;
          if (owner !== null && owner !== worker && isLive(owner, deadAfterMs)) continue;
          lease.owner = worker;
          lease.epoch += 1;
          taken.push({ shard, epoch: lease.epoch });
        }
        return taken;
      }),
    releaseShards: (worker, leases) =>
      settled(() => {
        for (const { shard, epoch } of leases) {
          const lease = tables.leases[shard];
          if (lease?.owner === worker && lease.epoch === epoch) lease.owner = null;
        }
      }),
    leases: () => settled(() => tables.leases.map((lease, shard) => ({ shard, ...lease }))),
  };
}

type MailMethods = Pick<
  ActorStore,
  'post' | 'reserveMailIds' | 'loadMail' | 'countAttempt' | 'setAsideMail' | 'findConsumed'
>;

const MAIL_IDS_AT_ONCE = 1024;

function mailMethods(tables: ActorTables, maxMail: number, nowMs: () => number): MailMethods {
  const findMail = (shard: number, mailId: number): [Cell, StoredMail] | null => {
    for (const cell of tables.byShard[shard] ?? []) {
      const mail = cell.mail.get(mailId);
      if (mail !== undefined) return [cell, mail];
    }
    return null;
  };
  return {
    post: (messages) => settled(() => messages.map((message) => postMail(tables, message, maxMail))),
    reserveMailIds: () =>
      settled(() => {
        const first = tables.nextMailId;
        tables.nextMailId += MAIL_IDS_AT_ONCE;
        return { first, count: MAIL_IDS_AT_ONCE };
      }),
    loadMail: (shards, limits) =>
      settled(() => {
        const rows = shards.flatMap((shard) =>
          [...(tables.byShard[shard] ?? [])].flatMap((cell) =>
            cell.mail.size === 0 ? [] : [...cell.mail.values()].sort(byPriorityThenId).slice(0, limits.perActor),
          ),
        );
        return rows.sort(byPriorityThenId).slice(0, limits.total).map(mailRow);
      }),
    countAttempt: (shard, mailId) =>
      settled(() => {
        const mail = findMail(shard, mailId)?.[1];
        if (mail === undefined) return 0;
        mail.attempts += 1;
        return mail.attempts;
      }),
    setAsideMail: (owner, lease, mailId, reason) =>
      settled(() => {
        const found = findMail(lease.shard, mailId);
        if (found === null || !holdsLease(tables, owner, lease.shard, lease.epoch)) return false;
        const [cell, mail] = found;
        const { messageId } = mail.envelope;
        deleteMail(cell, mailId);
        if (mail.isOutside) cell.setAside.set(messageId, mail.payloadHash);
        const { project, address } = cell;
        const { payloadHash } = mail;
        const place = { project, address, atMs: nowMs(), mailId, payloadHash, id: tables.deadLetters.length + 1 };
        tables.deadLetters.push({ ...place, messageId, envelope: copy(mail.envelope) as never, reason });
        return true;
      }),
    findConsumed: (project, address, messageId) =>
      settled(() => copy(findCell(tables, project, address)?.consumed.get(messageId) ?? null)),
  };
}

type EffectMethods = Pick<ActorStore, 'dispatchEffect' | 'retryEffect' | 'completeEffect' | 'readFence'>;

function effectMethods(tables: ActorTables): EffectMethods {
  const find = (key: EffectKey): [Cell, StoredEffect] | null => {
    const cell = findCell(tables, key.project, key.address);
    const effect = cell?.effects.get(key.effectId);
    return cell === undefined || effect === undefined ? null : [cell, effect];
  };
  return {
    dispatchEffect: (owner, key) =>
      settled(() => {
        if (!holdsLease(tables, owner, key.shard, key.epoch)) return 'lost_lease';
        const effect = find(key)?.[1];
        if (effect === undefined) return 'gone';
        if (!isFenceOpen(tables, effect.row.fence)) return 'fence_moved';
        if (effect.row.state === 'dispatched') {
          const isOrphan = effect.dispatchedEpoch !== null && effect.dispatchedEpoch < key.epoch;
          if (effect.row.class === 'once' || !isOrphan) return 'already_dispatched';
        }
        effect.row = { ...effect.row, state: 'dispatched', attempt: effect.row.attempt + 1 };
        effect.dispatchedEpoch = key.epoch;
        return 'dispatched';
      }),
    retryEffect: (owner, key, notBeforeMs) =>
      settled(() => {
        const effect = find(key)?.[1];
        if (effect === undefined || !holdsLease(tables, owner, key.shard, key.epoch)) return false;
        if (effect.row.class === 'once') fail('request.invalid', `effect ${key.effectId} may be sent only once`);
        effect.row = { ...effect.row, state: 'pending', notBeforeMs };
        return true;
      }),
    completeEffect: (owner, key, _result, mail) =>
      settled(() => {
        const found = find(key);
        if (found === null || !holdsLease(tables, owner, key.shard, key.epoch)) return false;
        found[0].effects.delete(key.effectId);
        insertMail(tables, mail);
        return true;
      }),
    readFence: (scope) => settled(() => copy(tables.fences.get(scope) ?? null)),
  };
}
