// Group commit: turns of many actors become one statement.
//
// Owns:     the waiting turns, the writers, the batches in flight.
// Owns not: what a verdict means for an actor (callbacks).
//
//   CM1  At most one commit of an actor is in flight (kept by the turns, which wait for the verdict).
//   CM2  A turn that sets a fence never shares a batch with one that requires any, and such batches go one at a time; what
//        requires a fence that is being set waits.
//   CM3  Everything is serialised before the store is called.
//   CM4  A statement that the store refused for good is repeated turn by turn, so that one bad row strands no other.
//   CM5  An unanswered statement is never repeated as it is; recovery decides.
//   CM8  A turn that takes operator mail is in the next statement, however many wait.

import { PlatformError, toFailure, type Failure } from '#contracts/errors.ts';
import type { CommitEntry, CommitVerdict } from '#contracts/ports/actor-store.ts';
import type { StepInput } from '#runtime/core/actor-state.ts';
import type { Draft } from '#runtime/core/draft.ts';
import type { HandOver, Ticket } from './hand-over.ts';
import type { HostParts } from './host-parts.ts';
import type { MailIds } from './mail-ids.ts';
import type { Leases } from './leases.ts';
import type { Resident } from './residents.ts';

/** One actor's share of a batch. */
export type Turn = {
  readonly resident: Resident;
  readonly draft: Draft;
  readonly inputs: readonly StepInput[];
  readonly entry: CommitEntry;
  readonly bytes: number;
  /** Gives messages up; when even that is refused, nothing more can be tried. */
  readonly isLastResort: boolean;
  /** Alone in its statement: the store refused a batch it was part of. */
  isSolo: boolean;
  /** The epoch its statement carried; `null` before it was sent. */
  sentEpoch: number | null;
  /** While its statement is under way; `null` when it was not answered. */
  ticket: Ticket | null;
};

export type CommitCallbacks = {
  readonly settled: (turn: Turn, verdict: CommitVerdict) => void;
  /** The store refused this turn's rows for good. */
  readonly refused: (turn: Turn, reason: Failure) => void;
  /** Nobody knows whether these landed. */
  readonly unanswered: (turns: readonly Turn[], commitId: string, cause: Failure) => void;
};

/** What the mail of a commit needs. */
export type MailSide = { readonly ids: MailIds; readonly handOver: HandOver };

export class Committer {
  readonly #parts: HostParts;
  readonly #leases: Leases;
  readonly #mailIds: MailIds;
  readonly #handOver: HandOver;
  readonly #callbacks: CommitCallbacks;
  #waiting: Turn[] = [];
  #inFlight = 0;
  /** Scopes of the fences that the statement in flight sets, if any. */
  #settingFences: ReadonlySet<string> = new Set();
  #isScheduled = false;
  commits = 0;
  entries = 0;

  constructor(parts: HostParts, leases: Leases, mail: MailSide, callbacks: CommitCallbacks) {
    this.#parts = parts;
    this.#leases = leases;
    this.#mailIds = mail.ids;
    this.#handOver = mail.handOver;
    this.#callbacks = callbacks;
  }

  get isBusy(): boolean {
    return this.#inFlight > 0 || this.#waiting.length > 0;
  }

  add(turn: Turn): void {
    if (turn.inputs.some(isOperatorMail)) this.#waiting.unshift(turn);
    else this.#waiting.push(turn);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#parts.limits.writers) return;
    this.#isScheduled = true;
    const flush = () => {
      this.#isScheduled = false;
      this.#flush();
    };
    const { lingerMs, batchEntries } = this.#parts.limits;
    if (lingerMs > 0 && this.#waiting.length < batchEntries / 2) this.#parts.clock.after(lingerMs, flush);
    else queueMicrotask(flush);
  }

  #flush(): void {
    while (this.#inFlight < this.#parts.limits.writers && this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      void this.#send(batch);
    }
  }

  #takeBatch(): Turn[] {
    const { batchEntries, batchBytes } = this.#parts.limits;
    const waiting = this.#waiting;
    const batch: Turn[] = [];
    const passed: Turn[] = [];
    let bytes = 0;
    let index = 0;
    for (; index < waiting.length && batch.length < batchEntries; index += 1) {
      const turn = waiting[index];
      if (turn === undefined) continue;
      if (batch.length > 0 && bytes + turn.bytes > batchBytes) break;
      if (!this.#mayJoin(batch, turn)) {
        passed.push(turn);
        continue;
      }
      batch.push(turn);
      bytes += turn.bytes;
    }
    const rest = waiting.slice(index);
    this.#waiting = passed.length === 0 ? rest : [...passed, ...rest];
    return batch;
  }

  #mayJoin(batch: readonly Turn[], turn: Turn): boolean {
    const setsFence = turn.entry.fencesSet.length > 0;
    if (setsFence && this.#settingFences.size > 0) return false;
    // it would hold the row that is to be set, or wait for it together with everybody else in its batch
    if (turn.entry.requires !== null && this.#settingFences.has(turn.entry.requires.scope)) return false;
    const first = batch[0];
    if (first === undefined) return true;
    if (turn.isSolo || first.isSolo) return false;
    if (setsFence) return batch.every((other) => other.entry.requires === null);
    return turn.entry.requires === null || batch.every((other) => other.entry.fencesSet.length === 0);
  }

  async #send(batch: readonly Turn[]): Promise<void> {
    const fences = batch.flatMap((turn) => turn.entry.fencesSet.map(({ scope }) => scope));
    this.#inFlight += 1;
    if (fences.length > 0) this.#settingFences = new Set(fences);
    const commitId = this.#parts.randomness.id();
    const ticket = this.#handOver.begin();
    try {
      await this.#numberMail(batch);
      // the shard of one may have gone while ids were asked for, and its actor may live here again already
      const present = batch.filter(({ resident }) => !resident.isGone);
      if (present.length === 0) return;
      const entries = present.map((turn) => {
        turn.ticket = ticket;
        turn.sentEpoch = this.#leases.epochOf(turn.entry.shard) ?? -1;
        turn.entry.epoch = turn.sentEpoch;
        return turn.entry;
      });
      const verdicts = await this.#parts.store.commit(this.#parts.workerId, commitId, entries);
      this.commits += 1;
      this.entries += present.length;
      present.forEach((turn, index) => this.#callbacks.settled(turn, verdicts[index] ?? 'stale_sequence'));
    } catch (thrown) {
      for (const turn of batch) turn.ticket = null;
      this.#failed(batch, commitId, thrown);
    } finally {
      this.#handOver.end(ticket);
      this.#inFlight -= 1;
      if (fences.length > 0) this.#settingFences = new Set();
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  async #numberMail(batch: readonly Turn[]): Promise<void> {
    const count = batch.reduce((sum, turn) => sum + turn.entry.outgoing.length, 0);
    while (!this.#mailIds.has(count)) await this.#mailIds.reserve(count);
    for (const turn of batch) for (const message of turn.entry.outgoing) message.mailId = this.#mailIds.take();
  }

  #failed(batch: readonly Turn[], commitId: string, thrown: unknown): void {
    const reason = toFailure(thrown, 'commit.unknown');
    const isRefusal = thrown instanceof PlatformError && thrown.failure.code === 'request.invalid';
    const [first] = batch;
    if (!isRefusal) this.#callbacks.unanswered(batch, commitId, reason);
    else if (batch.length === 1 && first !== undefined) this.#callbacks.refused(first, reason);
    else {
      for (const turn of batch) {
        turn.isSolo = true;
        this.#waiting.push(turn);
      }
    }
  }
}

function isOperatorMail(input: StepInput): boolean {
  return input.kind === 'mail' && input.envelope.priority === 'operator';
}
