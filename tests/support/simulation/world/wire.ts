// The bus between simulated processes: hints that get lost, come twice, and arrive in any order.

import type { Dice } from './happenings.ts';

export type Listener = (payload: string, subject: string) => void;
type Subscription = { readonly tokens: readonly string[]; readonly listener: Listener };

/** What one process listens to. */
export class Subscriptions {
  readonly #exact = new Map<string, Set<Listener>>();
  readonly #patterns = new Set<Subscription>();

  add(subject: string, listener: Listener): () => void {
    const tokens = subject.split('.');
    if (tokens.includes('*')) {
      const subscription = { tokens, listener };
      this.#patterns.add(subscription);
      return () => void this.#patterns.delete(subscription);
    }
    const listeners = this.#exact.get(subject) ?? new Set();
    this.#exact.set(subject, listeners);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  matching(subject: string): Listener[] {
    const found = [...(this.#exact.get(subject) ?? [])];
    if (this.#patterns.size === 0) return found;
    const tokens = subject.split('.');
    for (const { tokens: wanted, listener } of this.#patterns) {
      if (wanted.length === tokens.length && wanted.every((token, at) => token === '*' || token === tokens[at]))
        found.push(listener);
    }
    return found;
  }
}

export type Station = {
  readonly subscriptions: Subscriptions;
  hear(label: string, callback: () => void): void;
};

export class Wire {
  drop = 0;
  duplicate = 0;
  dropped = 0;
  duplicated = 0;
  readonly #stations = new Set<Station>();

  connect(station: Station): void {
    this.#stations.add(station);
  }

  disconnect(station: Station): void {
    this.#stations.delete(station);
  }

  publish(subject: string, payload: string, dice: Dice): void {
    for (const station of this.#stations) {
      for (const listener of station.subscriptions.matching(subject)) {
        const copies = this.#copies(dice);
        for (let copy = 0; copy < copies; copy++) station.hear(`hint ${subject}`, () => listener(payload, subject));
      }
    }
  }

  #copies(dice: Dice): number {
    if (this.drop > 0 && dice.next() < this.drop) {
      this.dropped += 1;
      return 0;
    }
    if (this.duplicate === 0 || dice.next() >= this.duplicate) return 1;
    this.duplicated += 1;
    return 2;
  }
}
