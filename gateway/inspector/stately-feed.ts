// One Stately inspector and the actors it is shown.
//
// Owns:     which actors are shown, their translations.
// Owns not: the socket, who may look (inspect-server.ts), the log.
//
//   SI3  Each actor's log is told from its birth, then live. One whose beginning is no longer kept is shown as it is now.
//   SI4  Without names the project's actors are shown, those that appear later included, up to MAX_ACTORS.

import type { Json } from '#contracts/json.ts';
import type { LoggedTransition, LogPlace } from '#contracts/ports/actor-store.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { presentTransition } from '../presenters/actors.ts';
import { ActorTail, END_OF_COMMIT, type TailSource } from './actor-tail.ts';
import type { Sink } from './batch.ts';
import { StatelyTranslation, type StatelyEvent } from './stately-events.ts';

export const MAX_ACTORS = 50;

export type FeedSink = {
  isFree(): boolean;
  send(event: StatelyEvent): void;
  fail(cause: unknown): void;
};

export class StatelyFeed {
  readonly #source: TailSource;
  readonly #sink: FeedSink;
  readonly #logger: Logger;
  readonly #tails = new Map<string, ActorTail | null>();
  readonly #roots = new Map<string, string>();
  #stopWatching: () => void = () => undefined;
  #isStopped = false;

  constructor(source: TailSource, sink: FeedSink, logger: Logger) {
    this.#source = source;
    this.#sink = sink;
    this.#logger = logger;
  }

  /** Throws what reading throws. `actors` empty: all of the project. */
  async start(actors: readonly string[]): Promise<void> {
    const { inspection, project } = this.#source;
    if (actors.length > 0) {
      for (const address of actors) await this.#show(address);
      return;
    }
    this.#stopWatching = inspection.watchProject(project, ({ rows }) => {
      for (const { address } of rows) this.#show(address).catch((cause: unknown) => this.#sink.fail(cause));
    });
    const listed = await inspection.listActors(project, { limit: MAX_ACTORS });
    for (const { row } of listed) await this.#show(row.address);
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopWatching();
    for (const tail of this.#tails.values()) tail?.stop();
    this.#tails.clear();
  }

  async #show(address: string): Promise<void> {
    if (this.#isStopped || this.#tails.has(address)) return;
    if (this.#tails.size >= MAX_ACTORS) {
      this.#stopWatching();
      this.#logger.info('an inspector is shown no further actors', { shown: MAX_ACTORS, next: address });
      return;
    }
    // claimed before the first await, so that it is shown once
    this.#tails.set(address, null);
    const { inspection, project } = this.#source;
    const actor = await inspection.readActor(project, address);
    if (this.#isStopped) return;
    const kind = address.slice(0, address.indexOf('/'));
    const parent = actor?.parent ?? null;
    const root = parent === null ? address : (this.#roots.get(parent) ?? parent);
    this.#roots.set(address, root);
    const translation = new StatelyTranslation({
      actor: address,
      parent,
      root,
      definition: inspection.machineConfig(kind),
      graph: inspection.machine(kind),
    });
    const sink = this.#translated(address, translation);
    let after: LogPlace | null = null;
    if (actor !== null && !(await this.#isWhole(address))) {
      const { row, state, context } = actor;
      after = { seq: row.seq, index: END_OF_COMMIT };
      const known = context as { readonly [key: string]: Json };
      for (const event of translation.announce(state, known, this.#source.clock.nowMs())) this.#sink.send(event);
    }
    if (this.#isStopped) return;
    const tail = new ActorTail(this.#source, address, after, sink);
    this.#tails.set(address, tail);
    tail.start();
  }

  /** Whether the log still has the birth, which is its commit 1. */
  async #isWhole(address: string): Promise<boolean> {
    const { inspection, project } = this.#source;
    const [first] = await inspection.readTransitions(project, address, { seq: 0, index: 0 }, 1);
    return first === undefined || (first.seq === 1 && first.detail !== null);
  }

  #translated(address: string, translation: StatelyTranslation): Sink<LoggedTransition> {
    return {
      isFree: () => this.#sink.isFree(),
      send: ({ rows }) => {
        for (const row of rows) {
          for (const event of translation.translate(presentTransition(address, row))) this.#sink.send(event);
        }
      },
      fail: (cause) => this.#sink.fail(cause),
    };
  }
}
