// Shard leases of this worker.
//
// Owns:     which shards are held, at which epoch, and until when this worker may believe it.
// Owns not: what happens to the actors of a shard that comes or goes (callbacks).
//
//   LS1  Effects start only before the local deadline: the last beat that was answered, plus the time after which others
//        may call this worker dead, minus one beat; after a late beat only when belief and store were compared.
//   LS2  A shard is given up to its rightful owner only when nothing of it is in flight.
//   LS3  An unanswered acquisition or release leaves belief and store apart; both are compared before the next beat ends.
//   LS4  Which worker owns a shard is decided by the store; rendezvous hashing only says who should ask.
//   LS5  A worker that retires says so at once: the others ask for its shards before it is dead.

import type { LiveWorker, ShardLease } from '#contracts/ports/actor-store.ts';
import type { HostParts } from './host-parts.ts';
import { shardsOf } from './rendezvous.ts';

/** Also without a reason to doubt, belief and store are compared from time to time. */
const BEATS_BETWEEN_CHECKS = 15;

export type LeaseCallbacks = {
  /** A beat was answered: effects may be dispatched again. */
  readonly beaten: () => void;
  readonly acquired: (shards: readonly number[]) => void;
  readonly lost: (shards: readonly number[]) => void;
  /** Starts to let go of the work of a shard; true when nothing of it is in flight any more. */
  readonly vacate: (shard: number) => boolean;
};

export class Leases {
  readonly #parts: HostParts;
  readonly #callbacks: LeaseCallbacks;
  readonly #epochs = new Map<number, number>();
  readonly #leaving = new Set<number>();
  #deadlineMs = -Infinity;
  #live = '';
  #wanted: readonly number[] = [];
  #cancelBeat: (() => void) | null = null;
  #stopped = false;
  #isRetired = false;
  /** Something was not answered, so the store may know other leases of this worker than this object does. */
  #isSuspect = true;
  #beats = 0;

  constructor(parts: HostParts, callbacks: LeaseCallbacks) {
    this.#parts = parts;
    this.#callbacks = callbacks;
  }

  async start(): Promise<void> {
    await this.#beat();
    this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelBeat?.();
  }

  /** From now on nothing falls to this worker; what it holds goes as soon as it is quiet. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    await this.#parts.store.beat(this.#parts.workerId, []);
  }

  async releaseAll(): Promise<void> {
    const leases = [...this.#epochs].map(([shard, epoch]): ShardLease => ({ shard, epoch }));
    this.#epochs.clear();
    if (leases.length > 0) await this.#parts.store.releaseShards(this.#parts.workerId, leases);
  }

  epochOf(shard: number): number | null {
    return this.#epochs.get(shard) ?? null;
  }

  /** Held and not on its way to another worker. */
  isWorking(shard: number): boolean {
    return this.#epochs.has(shard) && !this.#leaving.has(shard);
  }

  held(): number[] {
    return [...this.#epochs.keys()];
  }

  mayDispatch(shard: number): boolean {
    return this.isWorking(shard) && this.#parts.clock.nowMs() < this.#deadlineMs;
  }

  /** The store refused something that a holder may do. */
  doubt(): void {
    this.#isSuspect = true;
  }

  forfeit(shards: readonly number[]): void {
    const gone = shards.filter((shard) => this.#epochs.delete(shard));
    for (const shard of gone) this.#leaving.delete(shard);
    if (gone.length > 0) this.#callbacks.lost(gone);
  }

  /** Takes over from itself: every older statement of this worker on these shards can no longer land. */
  async renew(shards: readonly number[]): Promise<void> {
    const { store, workerId, limits } = this.#parts;
    const leases = await store.acquireShards(workerId, shards, limits.deadAfterMs);
    // between two epochs of this worker another one had the shard: nothing that is known of it here is true any more
    const changed = leases.filter(({ shard, epoch }) => epoch !== (this.#epochs.get(shard) ?? 0) + 1);
    this.forfeit(changed.map(({ shard }) => shard));
    for (const { shard, epoch } of leases) this.#epochs.set(shard, epoch);
    if (changed.length > 0) this.#callbacks.acquired(changed.map(({ shard }) => shard));
    const kept = new Set(leases.map((lease) => lease.shard));
    this.forfeit(shards.filter((shard) => !kept.has(shard)));
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancelBeat = this.#parts.clock.after(this.#parts.limits.beatMs, () => {
      void this.#beat().finally(() => this.#schedule());
    });
  }

  async #beat(): Promise<void> {
    const { store, workerId, pools, clock, limits, logger } = this.#parts;
    const askedAtMs = clock.nowMs();
    try {
      await store.beat(workerId, this.#isRetired ? [] : pools);
      // so late that others may have taken shards: which of them are left has to be known before anything starts
      const isLate = askedAtMs >= this.#deadlineMs;
      const deadlineMs = askedAtMs + limits.deadAfterMs - limits.beatMs;
      if (isLate) this.#isSuspect = true;
      else this.#deadlineMs = deadlineMs;
      const live = await store.liveWorkers(limits.deadAfterMs);
      if (this.#stopped) return;
      this.#aim(live);
      this.#beats += 1;
      if (this.#isSuspect || this.#beats % BEATS_BETWEEN_CHECKS === 0) await this.#reconcile();
      if (isLate) this.#deadlineMs = deadlineMs;
      this.#callbacks.beaten();
      await this.#acquireMissing();
      await this.#releaseLeaving();
    } catch (cause) {
      this.#isSuspect = true;
      logger.warn('heartbeat failed', { workerId, cause: String(cause) });
    }
  }

  /** Forgets leases the store does not confirm, gives back those nobody here knows of and that fall to others. */
  async #reconcile(): Promise<void> {
    const { store, workerId } = this.#parts;
    const believed = new Map(this.#epochs);
    const stored = await store.leases();
    if (this.#stopped) return;
    const mine = new Map(stored.filter((lease) => lease.owner === workerId).map(({ shard, epoch }) => [shard, epoch]));
    // what changed while the store was asked is younger than its answer
    const isUnchanged = (shard: number) => believed.get(shard) === this.#epochs.get(shard);
    this.forfeit([...believed.keys()].filter((shard) => isUnchanged(shard) && mine.get(shard) !== believed.get(shard)));
    const wanted = new Set(this.#wanted);
    const unknown = [...mine].filter(([shard]) => !believed.has(shard) && isUnchanged(shard) && !wanted.has(shard));
    this.#isSuspect = false;
    if (unknown.length > 0) {
      await store.releaseShards(
        workerId,
        unknown.map(([shard, epoch]) => ({ shard, epoch })),
      );
    }
  }

  #aim(live: readonly LiveWorker[]): void {
    const names = live.map(({ id, pools }) => `${id}:${pools.join()}`).join(' ');
    if (names === this.#live) return;
    this.#live = names;
    this.#wanted = shardsOf(this.#parts.workerId, live);
    const wanted = new Set(this.#wanted);
    const staying = [...this.#leaving].filter((shard) => wanted.has(shard));
    for (const shard of staying) this.#leaving.delete(shard);
    for (const shard of this.#epochs.keys()) if (!wanted.has(shard)) this.#leaving.add(shard);
    if (staying.length > 0) this.#callbacks.acquired(staying);
  }

  async #acquireMissing(): Promise<void> {
    const missing = this.#wanted.filter((shard) => !this.#epochs.has(shard));
    if (missing.length === 0) return;
    const { store, workerId, limits } = this.#parts;
    const leases = await store.acquireShards(workerId, missing, limits.deadAfterMs);
    if (this.#stopped || leases.length === 0) return;
    for (const { shard, epoch } of leases) this.#epochs.set(shard, epoch);
    this.#callbacks.acquired(leases.map((lease) => lease.shard));
  }

  async #releaseLeaving(): Promise<void> {
    const empty = [...this.#leaving].filter((shard) => this.#callbacks.vacate(shard));
    if (empty.length === 0) return;
    const leases = empty.map((shard): ShardLease => ({ shard, epoch: this.#epochs.get(shard) ?? 0 }));
    // still leaving while the store answers, so nothing starts on them; a failure is tried again with the next beat
    await this.#parts.store.releaseShards(this.#parts.workerId, leases);
    this.forfeit(empty);
  }
}
