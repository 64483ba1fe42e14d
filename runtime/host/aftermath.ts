// What follows a verdict: nothing leaves this worker before its commit landed.
//
// Owns:     nothing; it tells everybody else.
// Owns not: the commit, the recovery of unanswered ones.
//
//   OB1  Mail, hints, effects and timers of a commit are acted on only after the store said `committed`.
//   FN1  A turn whose fence moved is replaced by one commit that quarantines its messages, ends the actor as `fenced` and
//        tells its parent.

import type { CommitVerdict, ConsumedMessage } from '#contracts/ports/actor-store.ts';
import { committedState } from '#runtime/core/finish-draft.ts';
import type { BackPressure } from './back-pressure.ts';
import type { Turn } from './committer.ts';
import type { EffectRunner } from './effect-runner.ts';
import type { HostParts } from './host-parts.ts';
import type { InspectionHints } from './inspection-hints.ts';
import type { Leases } from './leases.ts';
import type { MailLoop } from './mail-loop.ts';
import { hasWork, requeue, type Residents } from './residents.ts';
import { subjects } from './subjects.ts';
import type { Timers } from './timers.ts';
import type { Turns } from './turns.ts';

/** A `done` hint longer than this carries nothing; the asker reads the store. */
const MAX_HINT_CHARACTERS = 16_384;

export type AftermathParts = {
  readonly parts: HostParts;
  readonly leases: Leases;
  readonly residents: Residents;
  readonly turns: Turns;
  readonly mail: MailLoop;
  readonly effects: EffectRunner;
  readonly timers: Timers;
  readonly pressure: BackPressure;
  readonly hints: InspectionHints;
};

export class Aftermath {
  readonly #all: AftermathParts;

  constructor(all: AftermathParts) {
    this.#all = all;
  }

  settle(turn: Turn, verdict: CommitVerdict): void {
    switch (verdict) {
      case 'committed':
        this.land(turn);
        break;
      case 'fence_moved':
        this.#all.turns.fence(turn.resident, turn.inputs);
        break;
      case 'stale_sequence':
        this.#discard(turn);
        break;
      case 'lost_lease':
        this.#lose(turn);
        break;
    }
  }

  land(turn: Turn): void {
    const { resident, draft, inputs, entry, bytes } = turn;
    const { residents, mail, effects, timers, pressure } = this.#all;
    mail.noteConsumed(inputs);
    if (!resident.isGone) {
      residents.forget(resident, inputs);
      resident.state = committedState(draft);
      resident.phase = 'idle';
      if (resident.state.status === 'needs_migration') residents.park(resident);
      residents.resize(resident, bytes);
    }
    for (const message of entry.outgoing) if (!mail.deliver(message, turn.ticket)) pressure.sent(resident, message);
    effects.withdraw(resident.project, resident.address, entry.effectsDeleted);
    effects.declare(resident, entry.effectsAdded);
    timers.settled(resident.key, inputs, entry.timersSet);
    this.#hint(turn);
    if (hasWork(resident) || resident.backlog !== 0) this.#all.turns.wake(resident);
    residents.evict();
  }

  /** Memory and row differ: which of its messages are still to be done only the store can say. */
  #discard({ resident, inputs }: Turn): void {
    const { residents, timers, mail } = this.#all;
    residents.drop(resident);
    timers.settled(resident.key, [...inputs, ...resident.operatorQueue, ...resident.queue], []);
    mail.leave(resident);
    mail.markDirty(resident.shard);
  }

  #lose(turn: Turn): void {
    const { resident, entry } = turn;
    const { leases } = this.#all;
    // after a take-over from itself the old epoch is refused although the shard is still held
    if (leases.isWorking(entry.shard) && turn.sentEpoch !== leases.epochOf(entry.shard)) {
      requeue(resident, turn.inputs);
      resident.state = null;
      resident.phase = 'idle';
      this.#all.turns.wake(resident);
      return;
    }
    this.#all.residents.drop(resident);
    leases.forfeit([entry.shard]);
  }

  #hint({ resident, entry, draft }: Turn): void {
    const { bus } = this.#all.parts;
    const { project, address } = resident;
    this.#all.hints.note({ project, address, seq: draft.seq, transitions: entry.transitions });
    const [first] = entry.published;
    if (first !== undefined) bus.publish(subjects.stream(project, first.stream), String(draft.state.eventSeq));
    for (const fence of entry.fencesSet) bus.publish(subjects.fence, JSON.stringify(fence));
    for (const { messageId, from, outcome, payloadHash, reply } of entry.transitions) {
      if (from.includes('/') || from === 'effect' || from === 'timer') continue;
      const consumed: ConsumedMessage = { outcome, seq: draft.seq, eventSeq: draft.state.eventSeq, payloadHash, reply };
      const text = JSON.stringify({ consumed });
      bus.publish(subjects.done(messageId), text.length > MAX_HINT_CHARACTERS ? '' : text);
    }
  }
}
