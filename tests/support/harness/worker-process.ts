// What stands between a host and the world, so that a test can kill, freeze or cut it off.
//
// Owns:     the faults of one worker.
// Owns not: the store, the clock, the bus behind it.
//
//   1  A killed worker hears nothing any more: no answer of the store, no alarm, no hint.
//   2  A frozen one hears everything that happened meanwhile when it thaws; what it asked before took effect.
//   3  A cut connection fails calls either before or after they took effect.

import { fail } from '#contracts/errors.ts';
import type { ActorStore } from '#contracts/ports/actor-store.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import type { Clock } from '#contracts/ports/clock.ts';

export type StoreCall = keyof ActorStore;

/** `before`: the call fails and did nothing. `after`: it took effect and the answer is lost. */
export type Cut = 'before' | 'after';
export type CallFault = Cut | 'kill-before' | 'kill-after' | null;

export class WorkerProcess {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly store: ActorStore;
  /** Asked before every call of the store. */
  onCall: (call: StoreCall) => CallFault = () => null;
  readonly #onActivity: () => void;
  #state: 'running' | 'frozen' | 'killed' = 'running';
  #held: (() => void)[] = [];

  constructor(store: ActorStore, clock: Clock, bus: Bus, onActivity: () => void) {
    this.#onActivity = onActivity;
    this.clock = {
      nowMs: () => clock.nowMs(),
      after: (delayMs, callback) => clock.after(delayMs, () => this.#hear(callback)),
    };
    this.bus = {
      publish: (subject, payload) => {
        if (this.#state !== 'killed') bus.publish(subject, payload);
      },
      subscribe: (subject, listener) =>
        bus.subscribe(subject, (payload, at) => this.#hear(() => listener(payload, at))),
      close: () => Promise.resolve(),
    };
    this.store = this.#wrap(store);
  }

  get isKilled(): boolean {
    return this.#state === 'killed';
  }

  kill(): void {
    this.#state = 'killed';
    this.#held = [];
  }

  freeze(): void {
    if (this.#state === 'running') this.#state = 'frozen';
  }

  thaw(): void {
    if (this.#state !== 'frozen') return;
    this.#state = 'running';
    const held = this.#held;
    this.#held = [];
    for (const callback of held) this.#hear(callback);
  }

  #hear(callback: () => void): void {
    this.#onActivity();
    if (this.#state === 'running') callback();
    else if (this.#state === 'frozen') this.#held.push(callback);
  }

  #wrap(store: ActorStore): ActorStore {
    return new Proxy(store, {
      get: (target, name) => {
        const method = target[name as StoreCall] as (...args: unknown[]) => Promise<unknown>;
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) => this.#call(name as StoreCall, () => method.apply(target, args));
      },
    });
  }

  #call(name: StoreCall, ask: () => Promise<unknown>): Promise<unknown> {
    this.#onActivity();
    if (this.#state === 'killed') return new Promise(() => {});
    const fault = this.onCall(name);
    if (fault === 'kill-before') {
      this.kill();
      return new Promise(() => {});
    }
    return new Promise((resolve, reject) => {
      const work = fault === 'before' ? lost(name) : ask();
      if (fault === 'kill-after') this.kill();
      const answer = fault === 'after' ? work.then(() => lost(name)) : work;
      answer.then(
        (value) => this.#hear(() => resolve(value)),
        (cause: unknown) => this.#hear(() => reject(cause as Error)),
      );
    });
  }
}

async function lost(name: StoreCall): Promise<never> {
  return await Promise.resolve().then(() => fail('store.unavailable', `${name}: the connection was lost`));
}
