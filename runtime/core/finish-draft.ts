import type { Envelope } from '#contracts/envelope.ts';
import { failure, type Failure, type FailureCode } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { ActorStatus, CommitEntry, OutgoingMessage } from '#contracts/ports/actor-store.ts';
import { CHILD_FENCED, type ActorState, type StepInput } from './actor-state.ts';
import { outgoing } from './apply-requests.ts';
import type { ActorDefinition } from './define-actor.ts';
import { openDraft, type Draft } from './draft.ts';
import { shardIn, type PoolOf } from './shard.ts';
import { messageIdOf } from './step.ts';
import { storeSnapshot } from './stored-snapshot.ts';

export const WARN_SNAPSHOT_CHARACTERS = 64 * 1024;
/** Of a snapshot, a message, an event, the input or output of an effect. */
export const MAX_ROW_CHARACTERS = 1024 * 1024;

/**
 * The commit entry of a draft, without epoch and mail ids, which are known when it is sent. Snapshot and messages are serialised
 * here, once; what JSON cannot hold (a cycle, a BigInt) throws.
 */
export function finishDraft(draft: Draft, poolOf: PoolOf): CommitEntry {
  const { before, state } = draft;
  const snapshot = storeSnapshot(state);
  return {
    project: before.project,
    address: before.address,
    shard: before.shard,
    epoch: -1,
    expectedSeq: before.seq,
    next: {
      machineVersion: state.machineVersion,
      defHash: state.defHash,
      status: state.status,
      eventSeq: state.eventSeq,
      snapshot,
      snapshotText: JSON.stringify(snapshot),
      fence: state.fence,
    },
    requires: draft.requires,
    transitions: draft.transitions,
    consumedMail: draft.consumedMail,
    outgoing: draft.envelopes.map((envelope) => addressed(envelope, '', poolOf)),
    timersSet: [...draft.timersSet.values()],
    timersDeleted: [...draft.timersDeleted],
    effectsAdded: [...draft.effectsAdded.values()],
    effectsDeleted: [...draft.effectsDeleted],
    writes: draft.writes,
    published: draft.published,
    fencesSet: draft.fencesSet,
    quarantined: draft.quarantined,
    deadLetters: draft.deadLetters,
  };
}

/** The actor as it is once the commit landed. */
export function committedState(draft: Draft): ActorState {
  return { ...draft.state, seq: draft.seq };
}

/** `payloadHash`: of `payloadText` for mail from outside, '' between actors. */
export function addressed(envelope: Envelope, payloadHash: string, poolOf: PoolOf): OutgoingMessage {
  const text = JSON.stringify(envelope);
  return { envelope, text, shard: shardIn(poolOf, envelope.project, envelope.to), payloadHash, mailId: 0 };
}

/** What makes two messages of one id the same: event, creation and condition, not times. */
export function payloadText(envelope: Envelope): string {
  return JSON.stringify([envelope.event, envelope.create ?? null, envelope.ifEventSeq ?? null]);
}

/** `null` when the rows may be stored. Operator mail is exempt: a stop must always commit. */
export function refuseSize(entry: CommitEntry, inputs: readonly StepInput[]): Failure | null {
  const found = largestRow(entry);
  if (found.characters <= MAX_ROW_CHARACTERS) return null;
  if (inputs.some((input) => input.kind === 'mail' && input.envelope.priority === 'operator')) return null;
  const { code, what, characters } = found;
  return failure(code, `${what} would have ${characters} characters, the limit is ${MAX_ROW_CHARACTERS}`);
}

type Sized = { readonly code: FailureCode; readonly what: string; readonly characters: number };

function largestRow(entry: CommitEntry): Sized {
  const { snapshotText = '' } = entry.next;
  let largest: Sized = { code: 'actor.snapshot_too_large', what: 'the snapshot', characters: snapshotText.length };
  const offer = (what: string, characters: number): void => {
    if (characters > largest.characters) largest = { code: 'actor.output_too_large', what, characters };
  };
  for (const { envelope, text } of entry.outgoing) offer(`a message to ${envelope.to}`, text.length);
  for (const effect of entry.effectsAdded) offer(`the input of '${effect.src}'`, sizeOf(effect.input));
  for (const event of entry.published) offer(`the event '${event.type}'`, sizeOf(event.data));
  for (const timer of entry.timersSet) offer(`the timer '${timer.timerId}'`, sizeOf(timer.event));
  return largest;
}

function sizeOf(value: Json): number {
  return (JSON.stringify(value) as string | undefined)?.length ?? 0;
}

/**
 * The commit of an actor whose fence moved: it keeps its last committed state, is `fenced` for good, loses its timers
 * and effects, and its parent hears of it. The messages whose output was refused are set aside.
 */
export function fenceDraft(
  definition: ActorDefinition,
  before: ActorState,
  inputs: readonly StepInput[],
  nowMs: number,
): Draft {
  const draft: Draft = { ...openDraft(definition, before), requires: null };
  for (const input of inputs) {
    if (input.kind !== 'mail') continue;
    setAside(draft, input, 'the fence of this actor moved');
  }
  draft.timersDeleted = new Set(before.timers.keys());
  draft.effectsDeleted = new Set(before.effects.keys());
  if (before.parent !== null) {
    const event = { type: CHILD_FENCED, address: before.address };
    draft.envelopes.push(outgoing(draft, before.parent, 'normal', event, nowMs));
  }
  const stored = storeSnapshot(before);
  draft.state = { ...emptied(draft.state, 'fenced'), stored };
  return draft;
}

/** The commit that stops an actor which no code here can continue. Its mail stays where it is. */
export function migrationDraft(definition: ActorDefinition, before: ActorState): Draft {
  const draft: Draft = { ...openDraft(definition, before), requires: null };
  draft.state = { ...draft.state, status: 'needs_migration', snapshot: null };
  return draft;
}

function emptied(state: ActorState, status: ActorStatus): ActorState {
  return { ...state, status, snapshot: null, timers: new Map(), effects: new Map(), invokes: {} };
}

function setAside(draft: Draft, input: StepInput & { kind: 'mail' }, reason: string): void {
  const { envelope, mailId, payloadHash } = input;
  draft.quarantined.push({ messageId: envelope.messageId, envelope: envelope as unknown as Json, reason });
  draft.transitions.push({
    index: draft.transitions.length,
    messageId: messageIdOf(input),
    from: envelope.from,
    eventType: envelope.event.type,
    payloadHash,
    outcome: 'quarantined',
    stateBefore: (draft.before.snapshot?.value ?? null) as Json,
    stateAfter: (draft.before.snapshot?.value ?? null) as Json,
    detail: { reason },
    reply: failure('commit.fence_moved', reason) as unknown as Json,
    durationMicros: 0,
  });
  draft.consumedMail.push({ mailId, priority: envelope.priority });
}
