// What every commit must keep, judged beside the store and not by it.

import type { CommitEntry, CommitVerdict, TimerRow } from '#contracts/ports/actor-store.ts';
import { findCell, type ActorTables, type Cell } from '#persistence/memory/actor-tables.ts';
import { readStoredSnapshot, type StoredSnapshot } from '#runtime/core/stored-snapshot.ts';
import type { HandState } from '../actors/hand-actor.ts';
import { BUDGET } from '../actors/ledger-actor.ts';
import type { SimProcess } from '../world/sim-process.ts';
import type { Messages } from './messages.ts';
import type { Problems } from './violation.ts';

type Known = { seq: number; readonly timers: Map<string, TimerRow>; readonly fired: Set<string>; armed: number };

export class Commits {
  readonly #problems: Problems;
  readonly #tables: ActorTables;
  readonly #messages: Messages;
  readonly #known = new Map<string, Known>();
  readonly #owners = new Map<string, SimProcess>();
  readonly #lastEvent = new Map<string, number>();
  readonly #effectIds = new Set<string>();
  readonly #inFlight = new Map<SimProcess, Set<string>>();
  readonly verdicts = { committed: 0, lost_lease: 0, stale_sequence: 0, fence_moved: 0 };

  constructor(problems: Problems, tables: ActorTables, messages: Messages) {
    this.#problems = problems;
    this.#tables = tables;
    this.#messages = messages;
  }

  asked(process: SimProcess, entries: readonly CommitEntry[]): void {
    const inFlight = this.#inFlight.get(process) ?? new Set();
    this.#inFlight.set(process, inFlight);
    // one of an older lease can no longer land
    for (const place of entries.map(placeOf)) {
      if (inFlight.has(place)) this.#problems.add('CM-06', `two commits of ${place} are in flight`);
      inFlight.add(place);
    }
    const setsFence = entries.some((entry) => entry.fencesSet.length > 0);
    if (setsFence && entries.some((entry) => entry.requires !== null))
      this.#problems.add('CM-07', 'a turn that sets a fence shares a batch with one that requires any');
  }

  answered(process: SimProcess, entries: readonly CommitEntry[]): void {
    for (const entry of entries) this.#inFlight.get(process)?.delete(placeOf(entry));
  }

  /** Right before the statement: whether lease and fence let each entry land. */
  before(owner: string, entries: readonly CommitEntry[]): { readonly lease: boolean; readonly fence: boolean }[] {
    return entries.map((entry) => {
      const lease = this.#tables.leases[entry.shard];
      const fence = entry.requires === null ? null : this.#tables.fences.get(entry.requires.scope);
      this.#checkMailOf(entry);
      return {
        lease: lease?.owner === owner && lease.epoch === entry.epoch,
        fence: fence === null || (fence?.open === true && fence.generation === entry.requires?.generation),
      };
    });
  }

  after(
    process: SimProcess,
    entries: readonly CommitEntry[],
    verdicts: readonly CommitVerdict[],
    allowed: readonly { readonly lease: boolean; readonly fence: boolean }[],
  ): void {
    entries.forEach((entry, index) => {
      const verdict = verdicts[index];
      if (verdict === undefined) return;
      this.verdicts[verdict] += 1;
      if (verdict !== 'committed') return;
      const { address } = entry;
      if (allowed[index]?.lease !== true) this.#problems.add('LS-03', `${address} committed without the lease`);
      if (allowed[index]?.fence !== true) this.#problems.add('FN-03', `${address} committed after its fence moved`);
      this.#landed(process, entry);
    });
  }

  timerOf(address: string, timerId: string): TimerRow | undefined {
    return this.#known.get(address)?.timers.get(timerId);
  }

  #checkMailOf(entry: CommitEntry): void {
    const lease = this.#tables.leases[entry.shard];
    const cell = findCell(this.#tables, entry.project, entry.address);
    // only an entry that will land is judged
    if (lease?.epoch !== entry.epoch || (cell?.row?.seq ?? 0) !== entry.expectedSeq) return;
    const fence = entry.requires === null ? null : this.#tables.fences.get(entry.requires.scope);
    if (fence !== null && !(fence?.open === true && fence.generation === entry.requires?.generation)) return;
    this.#messages.checkConsumed(entry, cell);
  }

  #landed(process: SimProcess, entry: CommitEntry): void {
    const { address } = entry;
    const known = this.#known.get(address) ?? { seq: 0, timers: new Map(), fired: new Set(), armed: 0 };
    this.#known.set(address, known);
    if (entry.expectedSeq !== known.seq)
      this.#problems.add('CM-06', `${address}: a commit after seq ${entry.expectedSeq} landed at seq ${known.seq}`);
    known.seq += 1;
    const place = placeOf(entry);
    const owner = this.#owners.get(place) ?? process;
    this.#owners.set(place, owner);
    if (owner !== process) this.#problems.add('LS-10', `two processes committed ${address} at epoch ${entry.epoch}`);
    for (const event of entry.published) {
      const last = this.#lastEvent.get(event.stream) ?? 0;
      if (event.seq !== last + 1) this.#problems.add('ST-02', `${event.stream}: event ${event.seq} after ${last}`);
      this.#lastEvent.set(event.stream, event.seq);
    }
    for (const { effectId } of entry.effectsAdded) {
      const name = `${address}#${effectId}`;
      if (this.#effectIds.has(name)) this.#problems.add('FX-15', `${name} was declared twice`);
      this.#effectIds.add(name);
    }
    this.#messages.consumed(entry);
    for (const message of entry.outgoing) this.#messages.sent(message);
    this.#timers(process, entry, known);
    this.#state(entry);
  }

  #timers(process: SimProcess, entry: CommitEntry, known: Known): void {
    const { address } = entry;
    for (const row of entry.transitions) {
      if (row.from !== 'timer') continue;
      const timer = [...known.timers.values()].find(
        ({ timerId, occurrence }) => row.messageId === `timer:${timerId}:${occurrence}`,
      );
      if (known.fired.has(row.messageId)) this.#problems.add('TM-02', `${row.messageId} of ${address} fired twice`);
      else if (timer === undefined)
        this.#problems.add('TM-01', `${row.messageId} of ${address} fired and is not armed`);
      else if (timer.dueAtMs > process.clock.nowMs())
        this.#problems.add('TM-02', `${row.messageId} of ${address} fired too early`);
      known.fired.add(row.messageId);
    }
    for (const timerId of entry.timersDeleted) known.timers.delete(timerId);
    for (const timer of entry.timersSet) {
      if (timer.occurrence <= known.armed) this.#problems.add('TM-01', `${address} armed ${timer.occurrence} again`);
      known.armed = timer.occurrence;
      known.timers.set(timer.timerId, timer);
    }
  }

  /** Timers and effects of the row are those that its state implies. */
  #state(entry: CommitEntry): void {
    const cell = findCell(this.#tables, entry.project, entry.address);
    const { address, next } = entry;
    if (cell === undefined) return;
    if (next.status !== 'active') {
      if (cell.timers.size > 0) this.#problems.add('ST-04', `${address} is ${next.status} and has a timer`);
      if (cell.effects.size > 0) this.#problems.add('ST-04', `${address} is ${next.status} and has an effect`);
      if (next.status !== 'done' && next.status !== 'fenced')
        this.#problems.add('UP-01', `${address} became ${next.status}`);
      return;
    }
    const stored = readStoredSnapshot(next.snapshot);
    if (stored === null) return this.#problems.add('UP-01', `${address} has no snapshot`);
    this.#implied(cell, stored);
    this.#context(address, stored);
  }

  #implied(cell: Cell, stored: StoredSnapshot): void {
    const awaited = new Set(Object.values(stored.invokes));
    for (const effectId of cell.effects.keys()) {
      if (!awaited.has(effectId)) this.#problems.add('ST-04', `${cell.address} has the effect ${effectId} in no state`);
    }
    for (const effectId of awaited) {
      const answer = this.#messages.placeOf(cell.address, `effect:${effectId}`);
      if (!cell.effects.has(effectId) && answer !== 'waiting')
        this.#problems.add('ST-03', `${cell.address} awaits the effect ${effectId}, which is ${answer ?? 'no row'}`);
    }
    const isWaiting = stored.state.value === 'waiting';
    if (!isWaiting && cell.timers.size > 0)
      this.#problems.add('ST-04', `${cell.address} has a timer of a state it left`);
    if (isWaiting && cell.timers.size !== 1) this.#problems.add('ST-03', `${cell.address} waits without a timer`);
  }

  #context(address: string, stored: StoredSnapshot): void {
    const { context } = stored.state;
    if (address.startsWith('hand/')) {
      const [first] = (context as unknown as HandState).confused;
      if (first !== undefined) this.#problems.add('FX-01', `${address} got an answer it did not wait for: ${first}`);
    }
    if (!address.startsWith('ledger/')) return;
    const { held, spent, strays } = context as unknown as { held: object; spent: number; strays: number };
    if (Object.keys(held).length + spent > BUDGET) this.#problems.add('OB-01', `${address} is overdrawn`);
    if (strays > 0) this.#problems.add('MB-07', `${address} settled what nobody reserved`);
  }
}

function placeOf({ address, epoch }: CommitEntry): string {
  return `${address}@${epoch}`;
}
