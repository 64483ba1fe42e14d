// The world that effects call: answers, refuses or keeps silent, as the dice say, and counts what it was sent.

import { PlatformError, failure } from '#contracts/errors.ts';
import type { HandPorts } from '../actors/hand-actor.ts';
import type { Dice } from './happenings.ts';
import type { SimProcess } from './sim-process.ts';

export type FarEndWorld = {
  readonly dice: () => Dice;
  readonly after: (ms: number, callback: () => void) => void;
  readonly started: (process: SimProcess, effectId: string, isOnce: boolean) => void;
};

const SLOW_MS = 1700;

export class FarEnd {
  /** Calls by effect id. */
  readonly calls = new Map<string, number>();
  /** From now on every call is answered. */
  isCalm = false;
  readonly #world: FarEndWorld;

  constructor(world: FarEndWorld) {
    this.#world = world;
  }

  portsOf(process: SimProcess): HandPorts {
    return {
      call: (what, ticket, { effectId }) => {
        this.calls.set(effectId, (this.calls.get(effectId) ?? 0) + 1);
        this.#world.started(process, effectId, what === 'pay');
        const roll = this.isCalm ? 0 : this.#world.dice().next();
        return new Promise((resolve, reject) => {
          const answer = (): void => process.hear('effect is answered', () => resolve(ticket));
          if (roll < 0.4) answer();
          else if (roll < 0.6) this.#world.after(SLOW_MS, answer);
          else if (roll < 0.8) process.hear('effect fails', () => reject(refusal('backoff')));
          else if (roll < 0.88) process.hear('effect fails', () => reject(refusal('never')));
        });
      },
    };
  }
}

function refusal(kind: 'backoff' | 'never'): PlatformError {
  return new PlatformError(failure('effect.failed', 'the far end refused', { retry: { kind } }));
}
