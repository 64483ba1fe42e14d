// A commit without an answer: the connection broke after the statement was sent.
//
//   CM6  The actors of the batch are frozen, this worker takes its shards over from itself (so that the statement, should
//        it still arrive, is refused), and the rows are read again: `last_commit_id` says whether the commit landed.
//   CM7  While the store does not answer no turn and no effect starts; work goes on by itself when it does.
//   CM11 An actor whose commits fail again and again although the store answers rests in between, longer each time.

import type { Failure } from '#contracts/errors.ts';
import type { LoadedActor } from '#contracts/ports/actor-store.ts';
import type { ActorLoader } from './actor-loader.ts';
import type { Aftermath } from './aftermath.ts';
import type { Turn } from './committer.ts';
import type { HostParts } from './host-parts.ts';
import type { Leases } from './leases.ts';
import { requeue, type Resident, type Residents } from './residents.ts';
import type { Turns } from './turns.ts';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;
/** So many failures of one commit are the bad luck of a bad connection; more have a cause that stays. */
const TRIES_AT_ONCE = 3;

export class Recovery {
  readonly #parts: HostParts;
  readonly #leases: Leases;
  readonly #residents: Residents;
  readonly #turns: Turns;
  readonly #loader: ActorLoader;
  readonly #aftermath: Aftermath;
  /** How often in a row the commit after this seq of an actor did not land. */
  readonly #failures = new WeakMap<Resident, { readonly seq: number; readonly count: number }>();
  #open = 0;
  #stopped = false;
  unanswered = 0;

  constructor(
    parts: HostParts,
    around: { leases: Leases; residents: Residents; turns: Turns; loader: ActorLoader; aftermath: Aftermath },
  ) {
    this.#parts = parts;
    this.#leases = around.leases;
    this.#residents = around.residents;
    this.#turns = around.turns;
    this.#loader = around.loader;
    this.#aftermath = around.aftermath;
  }

  get isBusy(): boolean {
    return this.#open > 0;
  }

  stop(): void {
    this.#stopped = true;
  }

  begin(turns: readonly Turn[], commitId: string, cause: Failure): void {
    for (const turn of turns) turn.resident.phase = 'frozen';
    this.unanswered += 1;
    this.#open += 1;
    this.#turns.pause();
    this.#parts.logger.warn('commit not answered', { commitId, actors: turns.length, cause: cause.message });
    this.#try(turns, commitId, FIRST_RETRY_MS);
  }

  #try(turns: readonly Turn[], commitId: string, waitMs: number): void {
    if (this.#stopped) return;
    this.#settle(turns, commitId).then(
      () => this.#end(commitId),
      (cause: unknown) => {
        this.#parts.logger.warn('store does not answer', { commitId, waitMs, cause: String(cause) });
        const jitterMs = waitMs * (0.5 + this.#parts.randomness.next());
        this.#parts.clock.after(jitterMs, () => this.#try(turns, commitId, Math.min(waitMs * 2, LAST_RETRY_MS)));
      },
    );
  }

  #end(commitId: string): void {
    this.#parts.logger.info('commit settled', { commitId });
    this.#open -= 1;
    if (this.#open === 0) this.#turns.resume();
  }

  async #settle(turns: readonly Turn[], commitId: string): Promise<void> {
    const shards = [...new Set(turns.map((turn) => turn.entry.shard))];
    const held = shards.filter((shard) => this.#leases.epochOf(shard) !== null);
    if (held.length > 0) await this.#leases.renew(held);
    const rows = await this.#readRows(turns);
    for (const turn of turns) {
      const { resident } = turn;
      // a shard that went away took its actors along
      if (this.#residents.byKey(resident.key) !== resident) continue;
      const loaded = rows.get(resident.key);
      if (loaded?.row.lastCommitId === commitId) {
        this.#aftermath.land(turn);
        continue;
      }
      requeue(resident, turn.inputs);
      this.#loader.adopt(resident, loaded);
      this.#wakeInTime(resident, loaded?.row.seq ?? 0);
    }
  }

  #wakeInTime(resident: Resident, seq: number): void {
    const before = this.#failures.get(resident);
    const count = before?.seq === seq ? before.count + 1 : 1;
    this.#failures.set(resident, { seq, count });
    if (count < TRIES_AT_ONCE) return this.#turns.wake(resident);
    const { clock } = this.#parts;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** (count - TRIES_AT_ONCE), LAST_RETRY_MS);
    resident.heldUntilMs = clock.nowMs() + waitMs;
    clock.after(waitMs, () => this.#turns.wake(resident));
  }

  async #readRows(turns: readonly Turn[]): Promise<Map<string, LoadedActor>> {
    const rows = new Map<string, LoadedActor>();
    for (const project of new Set(turns.map((turn) => turn.resident.project))) {
      const own = turns.filter((turn) => turn.resident.project === project);
      const loaded = await this.#parts.store.loadActors(
        project,
        own.map((turn) => turn.resident.address),
      );
      for (const actor of loaded) rows.set(`${project}\n${actor.row.address}`, actor);
    }
    return rows;
  }
}
