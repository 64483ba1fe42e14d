// Effects: declared rows become calls to the outside world, results become mail.
//
// Owns:     which effects wait, run or rest before a retry on this worker; their AbortSignals and deadlines.
// Owns not: the rows (commits add and delete them), what a result means (the machine).
//
//   FX1  Nothing is sent before its dispatch is committed, under the lease and with the fence open.
//   FX2  `once` is sent at most once; when nobody can know whether it was, its actor hears `effect.unknown`.
//   FX3  `idempotent` is repeated with the same effect id, also by the next owner of the shard.
//   FX4  The local lease deadline is checked immediately before the call.
//   FX5  Whoever leaves the state, loses the fence or the shard aborts the call; its late result goes nowhere.

import type { EffectResult, FenceState } from '#contracts/effect.ts';
import { failure, type Failure } from '#contracts/errors.ts';
import type { DueEffect, EffectKey, EffectRow } from '#contracts/ports/actor-store.ts';
import { callEffect } from './call-effect.ts';
import { resultMail } from './effect-mail.ts';
import { kindOf, type HostParts } from './host-parts.ts';
import type { Leases } from './leases.ts';
import type { MailIds } from './mail-ids.ts';
import type { MailLoop } from './mail-loop.ts';
import type { Resident } from './residents.ts';

const DEFAULT_ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 500;
const LAST_BACKOFF_MS = 60_000;
const STORE_RETRY_MS = 200;

/** Why a running effect was aborted. */
export type AbortReason = 'left' | 'fence' | 'lost' | 'stop';

type Running = DueEffect & { readonly controller: AbortController; aborted: AbortReason | null };

export type EffectCallbacks = {
  readonly mail: MailLoop;
  readonly mailIds: MailIds;
  readonly fenceActor: (project: string, address: string, shard: number) => void;
};

export class EffectRunner {
  readonly #parts: HostParts;
  readonly #leases: Leases;
  readonly #callbacks: EffectCallbacks;
  readonly #waiting = new Map<string, DueEffect>();
  readonly #resting = new Map<string, { readonly due: DueEffect; readonly cancel: () => void }>();
  readonly #running = new Map<string, Running>();
  /** Dispatches that the store did not answer and that were certainly not sent, with their shard; true as long as it is held. */
  readonly #unsent = new Map<string, number>();
  #hasMore = false;
  #isReading = false;
  #stopped = false;
  started = 0;

  constructor(parts: HostParts, leases: Leases, callbacks: EffectCallbacks) {
    this.#parts = parts;
    this.#leases = leases;
    this.#callbacks = callbacks;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  get isBusy(): boolean {
    return this.#isReading;
  }

  declare(resident: Resident, rows: readonly EffectRow[]): void {
    const { project, address, shard } = resident;
    for (const effect of rows) this.#offer({ project, address, shard, effect });
    if (rows.length > 0) this.#pump();
  }

  withdraw(project: string, address: string, effectIds: readonly string[]): void {
    for (const effectId of effectIds) {
      const key = `${project}/${address}#${effectId}`;
      this.#waiting.delete(key);
      this.#wakeUp(key);
      this.#abort(this.#running.get(key), 'left');
    }
  }

  /** A fence is known to be at this state now. */
  fenceMoved(fence: FenceState): void {
    const isHit = ({ effect }: DueEffect) =>
      effect.fence?.scope === fence.scope && !(fence.open && effect.fence.generation === fence.generation);
    for (const running of this.#running.values()) if (isHit(running)) this.#abort(running, 'fence');
    for (const [key, { due }] of this.#resting) {
      if (!isHit(due)) continue;
      this.#wakeUp(key);
      this.#callbacks.fenceActor(due.project, due.address, due.shard);
    }
  }

  lost(shards: readonly number[]): void {
    const gone = new Set(shards);
    for (const [key, due] of this.#waiting) if (gone.has(due.shard)) this.#waiting.delete(key);
    for (const [key, { due }] of this.#resting) if (gone.has(due.shard)) this.#wakeUp(key);
    for (const running of this.#running.values()) if (gone.has(running.shard)) this.#abort(running, 'lost');
    for (const [key, shard] of this.#unsent) if (gone.has(shard)) this.#unsent.delete(key);
  }

  resume(): void {
    if (this.#waiting.size > 0) this.#pump();
  }

  /** Lets go of a shard: repeatable effects return to the store; true when none of the shard runs. */
  vacate(shard: number): boolean {
    let isEmpty = true;
    for (const running of this.#running.values()) {
      if (running.shard !== shard) continue;
      isEmpty = false;
      if (running.effect.class === 'idempotent') this.#abort(running, 'stop');
    }
    return isEmpty;
  }

  /** Starts nothing more; resolves when every effect ended, repeatable ones at once. */
  stop(): void {
    this.#stopped = true;
    this.#waiting.clear();
    for (const key of [...this.#resting.keys()]) this.#wakeUp(key);
    for (const running of this.#running.values()) {
      if (running.effect.class === 'idempotent') this.#abort(running, 'stop');
    }
  }

  /** Effects that were never offered here: after an acquisition, after a lost wake-up. */
  async readDue(): Promise<void> {
    if (this.#isReading || this.#stopped) return;
    this.#isReading = true;
    this.#hasMore = false;
    try {
      const shards = this.#leases.held().filter((shard) => this.#leases.isWorking(shard));
      if (shards.length === 0) return;
      const known = this.#running.size + this.#waiting.size + this.#resting.size;
      const limit = this.#parts.limits.runningEffects + known;
      const rows = await this.#parts.store.dueEffects(shards, this.#parts.clock.nowMs(), limit);
      if (rows.length >= limit) this.#hasMore = true;
      for (const due of rows) this.#offer(due);
    } catch (cause) {
      this.#parts.logger.warn('reading effects failed', { cause: String(cause) });
    } finally {
      this.#isReading = false;
    }
    this.#pump();
  }

  #offer(due: DueEffect): void {
    const key = keyOf(due);
    if (this.#running.has(key) || this.#waiting.has(key) || this.#resting.has(key) || this.#stopped) return;
    if (this.#waiting.size >= this.#parts.limits.runningEffects * 4) this.#hasMore = true;
    else this.#waiting.set(key, due);
  }

  #pump(): void {
    for (const [key, due] of this.#waiting) {
      if (this.#running.size >= this.#parts.limits.runningEffects || this.#stopped) break;
      // waits for the next beat while the lease is not certain
      if (this.#leases.isWorking(due.shard) && !this.#leases.mayDispatch(due.shard)) continue;
      this.#waiting.delete(key);
      if (!this.#leases.isWorking(due.shard)) continue;
      const running: Running = { ...due, controller: new AbortController(), aborted: null };
      this.#running.set(key, running);
      void this.#process(key, running).finally(() => {
        this.#running.delete(key);
        this.#pump();
      });
    }
    if (this.#waiting.size === 0 && this.#hasMore) void this.readDue();
  }

  async #process(key: string, running: Running): Promise<void> {
    try {
      if (!(await this.#dispatch(key, running))) return;
      if (running.aborted !== null) return await this.#conclude(key, running, notSent(running.aborted));
      if (!this.#leases.mayDispatch(running.shard)) return await this.#conclude(key, running, notSent('lost'));
      this.started += 1;
      const result = await callEffect(this.#parts, running);
      await this.#conclude(key, running, result);
    } catch (cause) {
      this.#parts.logger.error('effect could not be processed', { effectId: key, cause: String(cause) });
    }
  }

  /** True when it has to be sent now. */
  async #dispatch(key: string, running: Running): Promise<boolean> {
    const { effect, project, address, shard } = running;
    if (effect.class === 'once' && effect.state === 'dispatched' && !this.#unsent.has(key)) {
      await this.#complete(running, { kind: 'failed', failure: unknownOutcome(effect) });
      return false;
    }
    let verdict: Awaited<ReturnType<HostParts['store']['dispatchEffect']>>;
    try {
      verdict = await this.#parts.store.dispatchEffect(this.#parts.workerId, this.#storeKey(running));
    } catch (cause) {
      this.#parts.logger.warn('dispatch not answered', { effectId: key, cause: String(cause) });
      if (running.aborted === 'lost') return false;
      this.#unsent.set(key, shard);
      this.#rest(key, running, STORE_RETRY_MS);
      return false;
    }
    const wasUnsent = this.#unsent.delete(key);
    switch (verdict) {
      case 'dispatched':
        return true;
      case 'already_dispatched':
        // ours, unanswered, and never sent: the answer was lost, not the effect
        // likewise when a statement of this very lease came late: nobody else can be running it
        if (wasUnsent || effect.class === 'idempotent') return true;
        await this.#complete(running, { kind: 'failed', failure: unknownOutcome(effect) });
        return false;
      case 'fence_moved':
        this.#callbacks.fenceActor(project, address, shard);
        return false;
      case 'lost_lease':
        this.#leases.doubt();
        return false;
      case 'gone':
        return false;
    }
  }

  async #conclude(key: string, running: Running, result: EffectResult): Promise<void> {
    const { effect, project, address, shard, aborted } = running;
    if (aborted === 'left' || aborted === 'lost') return;
    if (aborted === 'fence') return this.#callbacks.fenceActor(project, address, shard);
    const isRepeatable = effect.class === 'idempotent';
    if (aborted === 'stop' && isRepeatable) return void (await this.#putBack(running, this.#parts.clock.nowMs()));
    const waitMs = isRepeatable && result.kind === 'failed' ? this.#backoffMs(running, result.failure) : null;
    if (waitMs === null) return await this.#complete(running, result);
    const notBeforeMs = this.#parts.clock.nowMs() + waitMs;
    const isKept = await this.#putBack(running, notBeforeMs);
    if (isKept)
      this.#rest(key, { ...running, effect: { ...effect, attempt: effect.attempt + 1, notBeforeMs } }, waitMs);
  }

  /** `null`: no more attempts. */
  #backoffMs({ address, effect }: DueEffect, reason: Failure): number | null {
    const definition = this.#parts.definitions.get(kindOf(address))?.effects[effect.src];
    const attempt = effect.attempt + 1;
    if (reason.retry.kind === 'never' || attempt >= (definition?.attempts ?? DEFAULT_ATTEMPTS)) return null;
    if (reason.retry.kind === 'after') return reason.retry.ms;
    const plainMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LAST_BACKOFF_MS);
    return Math.round(plainMs * (0.5 + this.#parts.randomness.next()));
  }

  /** Stores the result. `false` from the store: the row is gone, or the shard. */
  async #complete(running: Running, result: EffectResult): Promise<void> {
    const { store, workerId, clock, logger } = this.#parts;
    const { mailIds } = this.#callbacks;
    let mail = resultMail(running, result, clock.nowMs(), 0);
    const { handOver } = this.#callbacks.mail;
    const ticket = handOver.begin();
    const { isDone, wasUnanswered } = await this.#insist(running, async () => {
      while (!mailIds.has(1)) await mailIds.reserve(1);
      mail = { ...mail, mailId: mailIds.take() };
      return store.completeEffect(workerId, this.#storeKey(running), result, mail);
    });
    if (isDone) this.#callbacks.mail.deliver(mail, ticket);
    else if (wasUnanswered) this.#callbacks.mail.markDirty(running.shard);
    else logger.debug('late result dropped', { effectId: keyOf(running) });
    handOver.end(ticket);
  }

  async #putBack(running: Running, notBeforeMs: number): Promise<boolean> {
    const { store, workerId } = this.#parts;
    const put = () => store.retryEffect(workerId, this.#storeKey(running), notBeforeMs);
    return (await this.#insist(running, put)).isDone;
  }

  /** Asks the store again until it answers, as long as the shard is ours and the effect is wanted. */
  async #insist(
    running: Running,
    ask: () => Promise<boolean>,
  ): Promise<{ readonly isDone: boolean; readonly wasUnanswered: boolean }> {
    let wasUnanswered = false;
    while (this.#leases.epochOf(running.shard) !== null && running.aborted !== 'left') {
      try {
        return { isDone: await ask(), wasUnanswered };
      } catch (cause) {
        wasUnanswered = true;
        this.#parts.logger.warn('the end of an effect is not stored', {
          effectId: keyOf(running),
          cause: String(cause),
        });
        await new Promise<void>((resolve) => void this.#parts.clock.after(STORE_RETRY_MS, resolve));
      }
    }
    return { isDone: false, wasUnanswered };
  }

  #rest(key: string, due: DueEffect, waitMs: number): void {
    if (this.#stopped) return;
    const { project, address, shard, effect } = due;
    const cancel = this.#parts.clock.after(waitMs, () => {
      this.#resting.delete(key);
      this.#waiting.set(key, { project, address, shard, effect });
      this.#pump();
    });
    this.#resting.set(key, { due, cancel });
  }

  #wakeUp(key: string): void {
    this.#resting.get(key)?.cancel();
    this.#resting.delete(key);
  }

  #abort(running: Running | undefined, reason: AbortReason): void {
    if (running === undefined || running.aborted !== null) return;
    running.aborted = reason;
    running.controller.abort(reason);
  }

  #storeKey({ project, address, shard, effect }: DueEffect): EffectKey {
    return { project, address, shard, epoch: this.#leases.epochOf(shard) ?? -1, effectId: effect.effectId };
  }
}

export function keyOf({ project, address, effect }: DueEffect): string {
  return `${project}/${address}#${effect.effectId}`;
}

function notSent(reason: AbortReason): EffectResult {
  return {
    kind: 'failed',
    failure: failure('effect.aborted', `it was not sent: ${reason}`, { retry: { kind: 'backoff' } }),
  };
}

function unknownOutcome(effect: EffectRow): Failure {
  return failure('effect.unknown', `'${effect.src}' was sent before a crash; whether it happened is not known`);
}
