// Turns: messages that wait in memory become commits.
//
// Owns:     when an actor may take a turn, folding, failed attempts.
// Owns not: batching (committer), what follows a commit (aftermath), reading rows (actor-loader).
//
//   ST1  An actor takes a turn only while it is idle, loaded, of a working shard and the store answers.
//   SV1  A message that failed so often as allowed is recorded as poisoned; the actor goes on with the next one.
//   PS1  A snapshot beyond the limit is never stored, except that operator mail always commits.
//   CM8  An actor with operator mail takes its turn before all others, however many are ready.

import { failure, toFailure, type Failure } from '#contracts/errors.ts';
import type { CommitEntry } from '#contracts/ports/actor-store.ts';
import type { StepInput } from '#runtime/core/actor-state.ts';
import { openDraft, type Draft } from '#runtime/core/draft.ts';
import {
  fenceDraft,
  finishDraft,
  migrationDraft,
  refuseSize,
  WARN_SNAPSHOT_CHARACTERS,
} from '#runtime/core/finish-draft.ts';
import { rearm } from '#runtime/core/restore-actor.ts';
import type { PoolOf } from '#runtime/core/shard.ts';
import { inputKey, recordPoison, stepInto } from '#runtime/core/step.ts';
import type { Turn } from './committer.ts';
import type { HostParts } from './host-parts.ts';
import type { Leases } from './leases.ts';
import { hasWork, requeue, takeNext, type Resident, type Residents } from './residents.ts';

/** After so many turns the sockets and timers of the process get their chance. */
const TURNS_IN_A_ROW = 512;

export type TurnCallbacks = {
  readonly commit: (turn: Turn) => void;
  readonly load: (residents: readonly Resident[]) => void;
  /** No message in memory can create it. */
  readonly refuseBirth: (resident: Resident, inputs: readonly StepInput[], reason: Failure) => void;
  readonly refill: (resident: Resident) => void;
  readonly skipped: (resident: Resident, input: StepInput) => void;
};

export class Turns {
  readonly #parts: HostParts;
  readonly #leases: Leases;
  readonly #residents: Residents;
  readonly #callbacks: TurnCallbacks;
  readonly #ready = new Set<Resident>();
  readonly #urgent = new Set<Resident>();
  #isScheduled = false;
  #isPaused = false;
  #turnsInARow = 0;

  constructor(parts: HostParts, leases: Leases, residents: Residents, callbacks: TurnCallbacks) {
    this.#parts = parts;
    this.#leases = leases;
    this.#residents = residents;
    this.#callbacks = callbacks;
  }

  get isBusy(): boolean {
    return this.#isScheduled;
  }

  wake(resident: Resident): void {
    if (resident.isGone) return;
    if (resident.operatorQueue.length > 0) this.#urgent.add(resident);
    else this.#ready.add(resident);
    this.#schedule();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#schedule();
  }

  /** Commits that no code here can continue the actor; its mail stays. */
  parkForMigration(resident: Resident): void {
    if (resident.state === null) return;
    this.#commit(resident, migrationDraft(resident.definition, resident.state), []);
  }

  /** The fence moved under these messages. */
  fence(resident: Resident, inputs: readonly StepInput[]): void {
    if (resident.state === null) return;
    resident.needsFencing = false;
    const nowMs = this.#parts.clock.nowMs();
    this.#commit(resident, fenceDraft(resident.definition, resident.state, inputs, nowMs), inputs);
  }

  /** The store refused the rows of these messages for good. */
  poison({ resident, inputs, isLastResort }: Turn, reason: Failure): void {
    const { address } = resident;
    this.#parts.logger.error('the store refused a commit', { address, reason: reason.message, isLastResort });
    if (inputs.length > 1) return this.#takeSingly(resident, inputs);
    if (resident.state?.seq === 0) return this.#refuseBirth(resident, inputs, reason);
    if (isLastResort || resident.state === null) {
      requeue(resident, inputs);
      this.#residents.park(resident);
      return;
    }
    const draft = openDraft(resident.definition, resident.state);
    for (const input of inputs) recordPoison(draft, input, reason);
    this.#commit(resident, draft, inputs, true);
  }

  /** One of them is the reason; the others must not suffer for it. */
  #takeSingly(resident: Resident, inputs: readonly StepInput[]): void {
    requeue(resident, inputs);
    resident.singly = inputs.length;
    resident.phase = 'idle';
    this.wake(resident);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isPaused || (this.#ready.size === 0 && this.#urgent.size === 0)) return;
    this.#isScheduled = true;
    if (this.#turnsInARow < TURNS_IN_A_ROW) queueMicrotask(() => this.#pump());
    else this.#yield();
  }

  #yield(): void {
    this.#parts.clock.after(0, () => {
      this.#turnsInARow = 0;
      this.#pump();
    });
  }

  #pump(): void {
    this.#isScheduled = false;
    if (this.#isPaused) return;
    const toLoad: Resident[] = [];
    for (const lane of [this.#urgent, this.#ready]) {
      for (const resident of lane) {
        if (this.#turnsInARow >= TURNS_IN_A_ROW) break;
        lane.delete(resident);
        this.#takeOrLoad(resident, toLoad);
      }
    }
    if (toLoad.length > 0) this.#callbacks.load(toLoad);
    this.#schedule();
  }

  #takeOrLoad(resident: Resident, toLoad: Resident[]): void {
    if (resident.isGone || resident.phase !== 'idle' || !this.#leases.isWorking(resident.shard)) return;
    if (this.#rests(resident)) return;
    if (!hasWork(resident)) this.#callbacks.refill(resident);
    else if (resident.state === null) toLoad.push(resident);
    else {
      this.#turnsInARow += 1;
      this.#take(resident);
    }
  }

  /** Whether it has to wait for a full receiver; then it is woken in time. Operator mail and a moved fence wait for nobody. */
  #rests(resident: Resident): boolean {
    if (resident.heldUntilMs === 0) return false;
    const waitMs = resident.heldUntilMs - this.#parts.clock.nowMs();
    if (waitMs <= 0) resident.heldUntilMs = 0;
    if (waitMs <= 0 || resident.needsFencing || resident.operatorQueue.length > 0) return false;
    if (!resident.hasAlarm) {
      resident.hasAlarm = true;
      this.#parts.clock.after(waitMs, () => {
        resident.hasAlarm = false;
        this.wake(resident);
      });
    }
    return true;
  }

  #take(resident: Resident): void {
    if (resident.needsFencing && resident.state?.status === 'active') return this.fence(resident, []);
    resident.needsFencing = false;
    if (resident.state?.status === 'needs_migration') return this.#residents.park(resident);
    const isHeld = resident.heldUntilMs > 0 && resident.operatorQueue.length > 0;
    const foldedMessages = isHeld ? resident.operatorQueue.length : this.#parts.limits.foldedMessages;
    const isSingle = resident.singly > 0;
    if (isSingle) resident.singly -= 1;
    if (this.#tryTurn(resident, isSingle ? 1 : foldedMessages) === 'refused') this.#tryTurn(resident, 1);
  }

  #tryTurn(resident: Resident, maxMessages: number): 'done' | 'refused' {
    const { state, definition } = resident;
    if (state === null) return 'done';
    let draft = openDraft(definition, state);
    if (resident.needsRearm) rearm(draft, this.#parts.clock.nowMs());
    const taken = this.#fold(resident, draft, maxMessages);
    // what an upgrade implies is committed also when nothing else is: the timer that woke the actor may be of a state that is gone
    const isOnlyUpgraded = taken.length === 0 && resident.needsRearm && resident.phase === 'idle';
    if (taken.length === 0 && !isOnlyUpgraded) return 'done';
    let finished = tryFinish(draft, taken, this.#parts.poolOf);
    if ('code' in finished) {
      if (taken.length > 1) {
        requeue(resident, taken);
        return 'refused';
      }
      this.#parts.logger.error('a step cannot be stored', { address: resident.address, reason: finished.message });
      draft = openDraft(definition, state);
      for (const input of taken) recordPoison(draft, input, finished);
      finished = finishDraft(draft, this.#parts.poolOf);
    }
    this.#send(turnOf(resident, draft, taken, finished));
    return 'done';
  }

  #fold(resident: Resident, draft: Draft, maxMessages: number): StepInput[] {
    const taken: StepInput[] = [];
    const nowMs = this.#parts.clock.nowMs();
    const { checks } = this.#parts.limits;
    while (taken.length < maxMessages) {
      const isUnborn = draft.before.seq === 0 && taken.length === 0;
      const input = takeNext(resident, isUnborn);
      if (input === undefined) {
        if (isUnborn) this.#refuseMissing(resident);
        break;
      }
      const startedAt = performance.now();
      const verdict = stepInto(draft, input, nowMs, { checks });
      if (verdict.kind === 'skipped') {
        this.#residents.forget(resident, [input]);
        this.#callbacks.skipped(resident, input);
        continue;
      }
      if (verdict.kind === 'failed') {
        // what came before it is committed first, so that it fails alone
        if (taken.length > 0) requeue(resident, [input]);
        else if (isUnborn) this.#refuseBirth(resident, [input], verdict.failure);
        else if (this.#isLastAttempt(resident, input)) recordPoison(draft, input, verdict.failure);
        else this.#count(resident, input);
        if (draft.transitions.length === taken.length) break;
      }
      setDuration(draft, performance.now() - startedAt);
      taken.push(input);
    }
    return taken;
  }

  #isLastAttempt(resident: Resident, input: StepInput): boolean {
    const failed = (resident.attempts.get(inputKey(input)) ?? 0) + 1;
    return failed >= this.#parts.limits.attemptsPerMessage;
  }

  #count(resident: Resident, input: StepInput): void {
    const key = inputKey(input);
    const failed = (resident.attempts.get(key) ?? 0) + 1;
    requeue(resident, [input]);
    resident.phase = 'counting';
    const counted =
      input.kind === 'mail'
        ? this.#parts.store.countAttempt(resident.shard, input.mailId).catch(() => 0)
        : Promise.resolve(0);
    void counted.then((stored) => {
      resident.attempts.set(key, Math.max(failed, stored));
      if (resident.phase === 'counting') resident.phase = 'idle';
      this.wake(resident);
    });
  }

  #refuseMissing(resident: Resident): void {
    const reason = failure('actor.not_found', `${resident.address} does not exist`);
    this.#refuseBirth(resident, [...resident.operatorQueue, ...resident.queue], reason);
  }

  #refuseBirth(resident: Resident, inputs: readonly StepInput[], reason: Failure): void {
    resident.operatorQueue.length = 0;
    resident.queue.length = 0;
    this.#callbacks.refuseBirth(resident, inputs, reason);
  }

  #commit(resident: Resident, draft: Draft, inputs: readonly StepInput[], isLastResort = false): void {
    const entry = finishDraft(draft, this.#parts.poolOf);
    this.#send({ ...turnOf(resident, draft, inputs, entry), isLastResort });
  }

  #send(turn: Turn): void {
    const { resident, bytes } = turn;
    if (bytes > WARN_SNAPSHOT_CHARACTERS && resident.bytes <= WARN_SNAPSHOT_CHARACTERS) {
      this.#parts.logger.warn('snapshot is large', { address: resident.address, bytes });
    }
    resident.phase = 'committing';
    resident.needsRearm = false;
    this.#callbacks.commit(turn);
  }
}

/** The rows of the draft, or why they can never be stored. */
function tryFinish(draft: Draft, taken: readonly StepInput[], poolOf: PoolOf): CommitEntry | Failure {
  try {
    const entry = finishDraft(draft, poolOf);
    return refuseSize(entry, taken) ?? entry;
  } catch (thrown) {
    return toFailure(thrown, 'actor.defect');
  }
}

function turnOf(resident: Resident, draft: Draft, inputs: readonly StepInput[], entry: CommitEntry): Turn {
  // characters, near enough to bytes for a limit
  const bytes = entry.next.snapshotText?.length ?? 0;
  return { resident, draft, inputs, entry, bytes, isLastResort: false, isSolo: false, sentEpoch: null, ticket: null };
}

function setDuration(draft: Draft, ms: number): void {
  const last = draft.transitions.at(-1);
  if (last === undefined) return;
  draft.transitions[draft.transitions.length - 1] = { ...last, durationMicros: Math.round(ms * 1000) };
}
