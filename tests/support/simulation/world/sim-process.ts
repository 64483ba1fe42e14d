// One process of the simulation: what stands between a host and the world.
//
// Owns:     whether the process runs, its clock's skew, its calls under way, the faults that wait for a call.
// Owns not: the store behind it, the order of happenings.
//
//   1  A call of the store is two happenings: it takes effect, and its answer is heard. Anything may come between.
//   2  A process that is gone hears nothing; what it asked may still take effect.
//   3  A frozen one hears everything when it thaws, and goes on with what it believed.
//   4  What is sent is a copy: a statement that arrives late says what it said when it was sent.

import { PlatformError, failure } from '#contracts/errors.ts';
import type { ActorStore, CommitEntry } from '#contracts/ports/actor-store.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import type { Clock, Randomness } from '#contracts/ports/clock.ts';
import type { Dice, Happening, Happenings } from './happenings.ts';
import { Subscriptions, type Station, type Wire } from './wire.ts';

export type StoreCall = keyof ActorStore;
/**
 * `before`: fails and did nothing. `after`: took effect, the answer is lost. `later`: fails now, takes effect after `ms`.
 * `slow`: the answer comes after `ms`. `stall`: it takes effect after `ms`. `kill`: the process dies when it has been sent.
 */
export type FaultKind = 'before' | 'after' | 'later' | 'slow' | 'stall' | 'kill';
export type Fault = { readonly call: StoreCall; readonly how: FaultKind; readonly ms: number };

export type ProcessWorld = {
  readonly happenings: Happenings;
  readonly wire: Wire;
  readonly dice: () => Dice;
  /** Lets a call take effect. */
  readonly apply: (process: SimProcess, call: StoreCall, args: readonly unknown[]) => Promise<unknown>;
  readonly asked: (process: SimProcess, call: StoreCall, args: readonly unknown[]) => void;
  /** `value` is undefined when the call failed. */
  readonly answered: (process: SimProcess, call: StoreCall, args: readonly unknown[], value: unknown) => void;
  readonly publishing: (process: SimProcess, subject: string, payload: string) => void;
  readonly noteFault: (kind: string) => void;
};

type Pending = {
  readonly call: StoreCall;
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: PlatformError) => void;
  request: Happening | null;
  askedAtMs: number;
  isSettled: boolean;
};

export class SimProcess implements Station {
  readonly workerId: string;
  readonly skewMs: number;
  readonly subscriptions = new Subscriptions();
  readonly clock: Clock;
  readonly bus: Bus;
  readonly store: ActorStore;
  readonly randomness: Randomness;
  isCut = false;
  faults: Fault[] = [];
  /** When the last answered beat was asked for. */
  beatAskedAtMs = -Infinity;
  readonly #world: ProcessWorld;
  readonly #pending = new Set<Pending>();
  #state: 'running' | 'frozen' | 'gone' = 'running';
  #inbox: [string, () => void][] = [];

  constructor(workerId: string, birth: number, skewMs: number, world: ProcessWorld, calls: readonly StoreCall[]) {
    this.workerId = workerId;
    this.skewMs = skewMs;
    this.#world = world;
    const { happenings, wire } = world;
    this.clock = {
      nowMs: () => happenings.nowMs + skewMs,
      after: (delayMs, callback) => {
        const alarm = happenings.after(delayMs, 'alarm', () => this.#hearNow('alarm', callback));
        return () => happenings.cancel(alarm);
      },
    };
    this.bus = {
      publish: (subject, payload) => {
        if (this.#state !== 'running') return;
        world.publishing(this, subject, payload);
        wire.publish(subject, payload, world.dice());
      },
      subscribe: (subject, listener) => this.subscriptions.add(subject, listener),
      close: () => Promise.resolve(),
    };
    let ids = 0;
    this.randomness = { next: () => world.dice().next(), id: () => `${workerId}.${birth}.${(ids += 1)}` };
    const methods = calls.map((call) => [call, (...args: unknown[]) => this.#call(call, args)] as const);
    this.store = Object.fromEntries(methods) as unknown as ActorStore;
    wire.connect(this);
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  get isGone(): boolean {
    return this.#state === 'gone';
  }

  get isFrozen(): boolean {
    return this.#state === 'frozen';
  }

  /** Statements that were sent arrive or not, as the dice say. */
  kill(): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    this.#inbox = [];
    this.#world.wire.disconnect(this);
    for (const { request } of this.#pending) {
      if (request !== null && this.#world.dice().next() < 0.5) this.#world.happenings.cancel(request);
    }
  }

  freeze(): void {
    if (this.#state === 'running') this.#state = 'frozen';
  }

  thaw(): void {
    if (this.#state !== 'frozen') return;
    this.#state = 'running';
    const inbox = this.#inbox;
    this.#inbox = [];
    for (const [label, callback] of inbox) this.hear(label, callback);
  }

  /** The connections break: nothing under way is answered; statements took effect, will, or never do. */
  sever(): void {
    for (const pending of this.#pending) {
      if (pending.isSettled) continue;
      const isLost = pending.request !== null && this.#world.dice().next() < 0.4;
      if (isLost && pending.request !== null) this.#world.happenings.cancel(pending.request);
      this.#fail(pending, isLost ? 'store.unavailable' : 'commit.unknown');
    }
  }

  hear(label: string, callback: () => void): void {
    this.#world.happenings.push(`${this.workerId} ${label}`, () => this.#hearNow(label, callback));
  }

  #hearNow(label: string, callback: () => void): void {
    if (this.#state === 'running') callback();
    else if (this.#state === 'frozen') this.#inbox.push([label, callback]);
  }

  #call(call: StoreCall, given: readonly unknown[]): Promise<unknown> {
    if (this.#state === 'gone') return new Promise(() => {});
    const args = call === 'commit' ? copyOfCommit(given) : given;
    const { happenings } = this.#world;
    this.#world.asked(this, call, args);
    return new Promise((resolve, reject) => {
      const askedAtMs = happenings.nowMs;
      const pending: Pending = { call, args, resolve, reject, request: null, askedAtMs, isSettled: false };
      this.#pending.add(pending);
      if (this.isCut) return this.#fail(pending, 'store.unavailable');
      const fault = this.#takeFault(call);
      if (fault?.how === 'before') return this.#fail(pending, 'store.unavailable');
      const waitMs = fault?.how === 'later' || fault?.how === 'stall' ? fault.ms : 0;
      pending.request = happenings.after(waitMs, `${this.workerId} ${call}`, () => this.#arrive(pending, fault));
      if (fault?.how === 'later') this.#fail(pending, 'commit.unknown');
      if (fault?.how === 'kill') this.kill();
    });
  }

  #takeFault(call: StoreCall): Fault | undefined {
    if (this.faults.length === 0) return undefined;
    const index = this.faults.findIndex((fault) => fault.call === call);
    const [fault] = index < 0 ? [] : this.faults.splice(index, 1);
    if (fault !== undefined) this.#world.noteFault(`${fault.call}:${fault.how}`);
    return fault;
  }

  #arrive(pending: Pending, fault: Fault | undefined): void {
    pending.request = null;
    if (pending.isSettled) this.#world.noteFault('late statement');
    const work = this.#world.apply(this, pending.call, pending.args);
    if (fault?.how === 'after') {
      work.catch(() => {});
      return this.#fail(pending, 'commit.unknown');
    }
    const delayMs = fault?.how === 'slow' ? fault.ms : 0;
    const answer = (value: unknown, settle: () => void) =>
      void this.#world.happenings.after(delayMs, `${this.workerId} answer of ${pending.call}`, () =>
        this.#hearNow('answer', () => {
          if (pending.isSettled) return;
          this.#settle(pending, value);
          settle();
        }),
      );
    work.then(
      (value) =>
        answer(value, () => {
          if (pending.call === 'beat') this.beatAskedAtMs = pending.askedAtMs;
          pending.resolve(value);
        }),
      (cause: PlatformError) => answer(undefined, () => pending.reject(cause)),
    );
  }

  #settle(pending: Pending, value: unknown): void {
    pending.isSettled = true;
    this.#pending.delete(pending);
    this.#world.answered(this, pending.call, pending.args, value);
  }

  #fail(pending: Pending, code: 'store.unavailable' | 'commit.unknown'): void {
    pending.isSettled = true;
    this.hear(`${pending.call} fails`, () => {
      this.#settle(pending, undefined);
      pending.reject(new PlatformError(failure(code, `${pending.call}: the connection was lost`)));
    });
  }
}

function copyOfCommit([owner, commitId, entries]: readonly unknown[]): unknown[] {
  const copies = (entries as readonly CommitEntry[]).map((entry) => ({
    ...entry,
    outgoing: entry.outgoing.map((message) => ({ ...message })),
  }));
  return [owner, commitId, copies];
}
