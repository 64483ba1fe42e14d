// The step: (actor, message, now) → what the commit has to write. Pure and synchronous.
//
//   1  A message either changes the draft as a whole or, when anything throws, not at all.
//   2  Stale timers and stale effect results never reach XState, which could not tell them from current ones.
//   3  A done actor takes no steps.

import type { AnyMachineSnapshot } from 'xstate';
import type { EffectResult } from '#contracts/effect.ts';
import type { Envelope } from '#contracts/envelope.ts';
import { fail, failure, toFailure, type Failure } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { MessageOutcome, TransitionRow } from '#contracts/ports/actor-store.ts';
import { CHILD_FENCED, CREATE_ONLY, EFFECT_RESULT, OPERATOR, type ActorState, type StepInput } from './actor-state.ts';
import { applyRequests, checkRequests } from './apply-requests.ts';
import type { ActorDefinition } from './define-actor.ts';
import { orderRegions } from './document-order.ts';
import { applyChanges, openDraft, type Change, type Draft } from './draft.ts';
import { isoTime } from './iso-time.ts';
import { recordGuards } from './guard-record.ts';
import { openScope, standInsOf, type Collected } from './scope.ts';
import { describeTaken, describeUntaken } from './transition-detail.ts';
import { translateActions } from './translate.ts';

export type StepOptions = {
  /** Checks events of other actors and every new context against their schemas. For development and tests. */
  readonly checks: boolean;
};

export type StepVerdict =
  | { readonly kind: 'taken'; readonly outcome: MessageOutcome }
  /** A timer that is no longer armed: nothing to record. */
  | { readonly kind: 'skipped' }
  /** The message cannot be processed; the draft is as before. */
  | { readonly kind: 'failed'; readonly failure: Failure };

type Event = { readonly type: string; readonly [key: string]: unknown };
type Ruling =
  | { readonly rule: 'run'; readonly event: Event; readonly changes: readonly Change[] }
  | { readonly rule: 'refuse'; readonly outcome: MessageOutcome; readonly reason: string | null };

/** Takes one message into the draft. */
export function stepInto(draft: Draft, input: StepInput, nowMs: number, options: StepOptions): StepVerdict {
  if (input.kind === 'timer' && draft.state.timers.get(input.timerId)?.occurrence !== input.occurrence) {
    return { kind: 'skipped' };
  }
  try {
    const outcome = isBirth(draft, input) ? bear(draft, input, nowMs, options) : take(draft, input, nowMs, options);
    consume(draft, input);
    return { kind: 'taken', outcome };
  } catch (thrown) {
    return { kind: 'failed', failure: toFailure(thrown, 'actor.poisoned') };
  }
}

/** One message, one commit. */
export function step(
  definition: ActorDefinition,
  before: ActorState,
  input: StepInput,
  nowMs: number,
  options: StepOptions = { checks: true },
): { readonly draft: Draft; readonly verdict: StepVerdict } {
  const draft = openDraft(definition, before);
  return { draft, verdict: stepInto(draft, input, nowMs, options) };
}

/** Records that a message is given up: it is consumed without any effect on the actor. */
export function recordPoison(draft: Draft, input: StepInput, reason: Failure): void {
  pushTransition(draft, input, {
    outcome: 'poisoned',
    before: draft.state,
    detail: describeUntaken(input, reason as unknown as Json, []),
    answer: reason as never,
  });
  draft.deadLetters.push({
    messageId: messageIdOf(input),
    envelope: input.kind === 'mail' ? (input.envelope as unknown as Json) : (input as unknown as Json),
    reason: `${reason.code}: ${reason.message}`,
  });
  if (input.kind === 'timer') applyChanges(draft, [{ change: 'timerDeleted', timerId: input.timerId }]);
  consume(draft, input);
}

/** Tells the inputs of one actor apart. */
export function inputKey(input: StepInput): number | string {
  return input.kind === 'mail' ? input.mailId : messageIdOf(input);
}

export function messageIdOf(input: StepInput): string {
  return input.kind === 'mail' ? input.envelope.messageId : `timer:${input.timerId}:${input.occurrence}`;
}

function isBirth(draft: Draft, input: StepInput): input is StepInput & { kind: 'mail' } {
  return draft.state.seq === 0 && draft.state.snapshot === null && input.kind === 'mail';
}

function bear(draft: Draft, input: StepInput & { kind: 'mail' }, nowMs: number, options: StepOptions): MessageOutcome {
  const { create } = input.envelope;
  if (create === undefined) fail('actor.not_found', `${draft.state.address} does not exist`);
  const { definition } = draft;
  const parsed = definition.input.safeParse(create.input);
  if (!parsed.success) fail('request.invalid', `input of ${draft.state.address}: ${parsed.error.message}`);
  const { scope, collected } = openScope(draft.state.address);
  const snapshot = recordGuards(
    collected.refused,
    () => definition.machine.getInitialSnapshot(scope, parsed.data) as AnyMachineSnapshot,
  );
  // XState swallows an error of the initial state into the snapshot
  if (snapshot.status === 'error' && snapshot.error !== undefined) throw asError(snapshot.error);
  settle(draft, input, { snapshot, collected, changes: [] }, nowMs, options);
  return 'handled';
}

function take(draft: Draft, input: StepInput, nowMs: number, options: StepOptions): MessageOutcome {
  const ruling = input.kind === 'timer' ? ruleTimer(draft, input) : ruleMail(draft, input.envelope, options);
  if (ruling.rule === 'refuse') {
    const { outcome, reason } = ruling;
    pushTransition(draft, input, {
      outcome,
      before: draft.state,
      detail: describeUntaken(input, reason, []),
      answer: null,
    });
    if (outcome === 'quarantined' && input.kind === 'mail') {
      const { envelope } = input;
      draft.quarantined.push({
        messageId: envelope.messageId,
        envelope: envelope as unknown as Json,
        reason: reason ?? '',
      });
    }
    return outcome;
  }
  const before = draft.state.snapshot;
  if (before === null) fail('actor.defect', `${draft.state.address} is active but its snapshot is not loaded`);
  const { scope, collected } = openScope(draft.state.address);
  // Machines may not read a clock, so the time of the step travels with every event.
  const event = { ...ruling.event, at: isoTime(nowMs) };
  const snapshot = recordGuards(
    collected.refused,
    () => draft.definition.machine.transition(before, event, scope) as AnyMachineSnapshot,
  );
  if (snapshot === before && collected.actions.length === 0) {
    applyChanges(draft, ruling.changes);
    const detail = describeUntaken(input, null, collected.refused);
    pushTransition(draft, input, { outcome: 'ignored', before: draft.state, detail, answer: null });
    return 'ignored';
  }
  settle(draft, input, { snapshot, collected, changes: ruling.changes }, nowMs, options);
  return 'handled';
}

function ruleTimer(draft: Draft, input: StepInput & { kind: 'timer' }): Ruling {
  const event = draft.state.timers.get(input.timerId)?.event as Event;
  return { rule: 'run', event, changes: [{ change: 'timerDeleted', timerId: input.timerId }] };
}

function ruleMail(draft: Draft, envelope: Envelope, options: StepOptions): Ruling {
  const { state, definition } = draft;
  const { event } = envelope;
  if (state.status === 'fenced') return refuse('quarantined', 'the fence of this actor moved');
  if (state.status !== 'active') return refuse('dropped_done', `the actor is ${state.status}`);
  if (event.type === EFFECT_RESULT) return ruleResult(state, envelope);
  if (event.type.startsWith('xstate.')) return refuse('forbidden', `'${event.type}' is reserved`);
  if (event.type === CREATE_ONLY) return refuse('ignored', 'the actor already lives');
  if (envelope.ifEventSeq !== undefined && envelope.ifEventSeq !== String(state.eventSeq)) {
    return refuse('conflict', `expected event_seq ${envelope.ifEventSeq}, found ${state.eventSeq}`);
  }
  if (options.checks && event.type !== CHILD_FENCED) {
    const parsed = definition.events.safeParse(event);
    if (!parsed.success) return refuse('forbidden', `'${event.type}' is not an event of ${definition.kind}`);
  }
  return { rule: 'run', event: event as Event, changes: [] };
}

function ruleResult(state: ActorState, envelope: Envelope): Ruling {
  const { effectId, invokeId, result } = envelope.event as unknown as {
    effectId: string;
    invokeId: string;
    result: EffectResult;
  };
  if (envelope.from !== 'effect' && envelope.from !== OPERATOR)
    return refuse('forbidden', `only the runtime sends '${EFFECT_RESULT}'`);
  if (state.invokes[invokeId] !== effectId) return refuse('stale', `effect ${effectId} is no longer awaited`);
  const actorId = invokeId;
  const event: Event =
    result.kind === 'done'
      ? { type: `xstate.done.actor.${invokeId}`, output: result.output, actorId }
      : { type: `xstate.error.actor.${invokeId}`, error: result.failure, actorId };
  return { rule: 'run', event, changes: [] };
}

function refuse(outcome: MessageOutcome, reason: string | null): Ruling {
  return { rule: 'refuse', outcome, reason };
}

type Reached = {
  readonly snapshot: AnyMachineSnapshot;
  readonly collected: Collected;
  readonly changes: readonly Change[];
};

/** Everything that can throw comes first; from `applyChanges` on, nothing does. */
function settle(draft: Draft, input: StepInput, reached: Reached, nowMs: number, options: StepOptions): void {
  const { definition } = draft;
  const { snapshot, collected } = reached;
  const translation = translateActions(definition, collected.actions, nowMs);
  const changes = reached.changes.length === 0 ? translation.changes : [...reached.changes, ...translation.changes];
  checkRequests(draft, translation.requests);
  if (options.checks) checkContext(definition, snapshot);
  const stateBefore = draft.state;
  checkChildren(stateBefore, snapshot, changes);
  if (input.kind === 'mail') forgetResult(draft, input.envelope);
  applyChanges(draft, changes);
  if (snapshot.status !== 'active') applyChanges(draft, endOfLife(draft));
  snapshot.children = standInsOf(draft.state.invokes);
  orderRegions(snapshot);
  draft.state = { ...draft.state, snapshot, status: snapshot.status === 'stopped' ? 'done' : snapshot.status };
  const answer = applyRequests(draft, translation.requests, nowMs);
  const { edges, refused } = collected;
  const { logs } = translation;
  const detail = describeTaken({ before: stateBefore.snapshot, after: snapshot, edges, refused, logs, input });
  pushTransition(draft, input, { outcome: 'handled', before: stateBefore, detail, answer });
}

/** The row of an effect is gone as soon as its result is mail; only the memory of it is left to delete. */
function forgetResult(draft: Draft, envelope: Envelope): void {
  if (envelope.event.type !== EFFECT_RESULT) return;
  const effects = new Map(draft.state.effects);
  if (effects.delete(String(envelope.event['effectId']))) draft.state = { ...draft.state, effects };
}

function endOfLife(draft: Draft): Change[] {
  const timers = [...draft.state.timers.keys()].map((timerId): Change => ({ change: 'timerDeleted', timerId }));
  const invokes = Object.keys(draft.state.invokes);
  return [...timers, ...invokes.map((invokeId): Change => ({ change: 'effectDropped', invokeId }))];
}

/** A child that no action announced was spawned inside an assign, where it would be lost. */
function checkChildren(before: ActorState, snapshot: AnyMachineSnapshot, changes: readonly Change[]): void {
  for (const id in snapshot.children) {
    if (before.invokes[id] !== undefined) continue;
    const isDeclared = changes.some((item) => item.change === 'effectDeclared' && item.effect.invokeId === id);
    if (!isDeclared) fail('actor.defect', `child '${id}' was spawned inside assign; use invoke or a spawn request`);
  }
}

function checkContext(definition: ActorDefinition, snapshot: AnyMachineSnapshot): void {
  const parsed = definition.context.safeParse(snapshot.context);
  if (!parsed.success) fail('actor.defect', `context of ${definition.kind}: ${parsed.error.message}`);
}

type Taken = {
  readonly outcome: MessageOutcome;
  readonly before: ActorState;
  readonly detail: { readonly [key: string]: Json };
  readonly answer: Json;
};

function pushTransition(draft: Draft, input: StepInput, { outcome, before, detail, answer }: Taken): void {
  const row: TransitionRow = {
    index: draft.transitions.length,
    messageId: messageIdOf(input),
    from: input.kind === 'mail' ? input.envelope.from : 'timer',
    eventType: input.kind === 'mail' ? input.envelope.event.type : eventTypeOfTimer(before, input.timerId),
    payloadHash: input.kind === 'mail' ? input.payloadHash : '',
    outcome,
    stateBefore: (before.snapshot?.value ?? null) as Json,
    stateAfter: (draft.state.snapshot?.value ?? null) as Json,
    detail,
    reply: outcome === 'handled' || outcome === 'poisoned' ? answer : explain(outcome, detail),
    durationMicros: 0,
  };
  draft.transitions.push(row);
}

function eventTypeOfTimer(state: ActorState, timerId: string): string {
  return (state.timers.get(timerId)?.event as Event | undefined)?.type ?? timerId;
}

/** What `ask` answers for a message that did nothing: why. */
function explain(outcome: MessageOutcome, detail: { readonly [key: string]: Json }): Json {
  const reason = typeof detail['reason'] === 'string' ? detail['reason'] : 'no reason was given';
  if (outcome === 'conflict') return failure('request.conflict', reason) as unknown as Json;
  if (outcome === 'forbidden') return failure('actor.forbidden_event', reason) as unknown as Json;
  return null;
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new TypeError(String(thrown)));

function consume(draft: Draft, input: StepInput): void {
  if (input.kind !== 'mail') return;
  draft.consumedMail.push({ mailId: input.mailId, priority: input.envelope.priority });
}
