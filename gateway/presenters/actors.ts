import type {
  ActorDetail,
  ActorSummary,
  OperatorActionView,
  TransitionSummary,
  TransitionView,
  WaitingMail,
} from '#contracts/http/actors.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import type {
  EffectRow,
  LoggedTransition,
  LogPlace,
  MailRow,
  ProjectTransition,
  StoredOperatorAction,
  TimerRow,
} from '#contracts/ports/actor-store.ts';
import type { InspectedActor, ListedActor, TransitionHint } from '#contracts/ports/inspection.ts';
import type * as z from 'zod';
import { readDetail } from './transition-detail.ts';

export function presentActor({ row, state }: ListedActor): ActorSummary {
  return {
    actor: row.address,
    status: row.status,
    state: state as ActorSummary['state'],
    seq: String(row.seq),
    event_seq: String(row.eventSeq),
    machine_version: row.machineVersion,
    def_hash: row.defHash,
  };
}

export function presentActorDetail(actor: InspectedActor): ActorDetail {
  const { row, parent, waitingMail, parked, commands } = actor;
  const { fence } = row;
  return {
    ...presentActor(actor),
    shard: row.shard,
    epoch: String(row.epoch),
    fence: fence === null ? null : { scope: fence.scope, generation: String(fence.generation) },
    parent,
    context: actor.context as ActorDetail['context'],
    view: actor.view as ActorDetail['view'],
    timers: actor.timers.map(presentTimer),
    effects: actor.effects.map(presentEffect),
    waiting_mail: waitingMail,
    parked,
    commands: [...commands],
  };
}

function presentTimer({ timerId, occurrence, dueAtMs, event }: TimerRow): ActorDetail['timers'][number] {
  const { type } = (event ?? {}) as { type?: unknown };
  return {
    timer_id: timerId,
    occurrence,
    due_time: isoTime(dueAtMs),
    event_type: typeof type === 'string' ? type : timerId,
  };
}

function presentEffect(effect: EffectRow): ActorDetail['effects'][number] {
  return {
    effect_id: effect.effectId,
    invoke_id: effect.invokeId,
    src: effect.src,
    class: effect.class,
    state: effect.state,
    attempt: effect.attempt,
    not_before_time: isoTime(effect.notBeforeMs),
    input: effect.input as ActorDetail['context'],
  };
}

export function presentTransition(actor: ActorAddress, row: LoggedTransition): TransitionView {
  return {
    actor,
    // mail that no actor took belongs to no commit
    seq: String(Math.max(0, row.seq)),
    index: row.index,
    cursor: cursorOf(row),
    time: isoTime(row.atMs),
    cause: causeOf(row),
    event_type: row.eventType,
    outcome: row.outcome,
    trimmed: row.seq > 0 && row.detail === null,
    state_before: row.stateBefore as TransitionView['state_before'],
    state_after: row.stateAfter as TransitionView['state_after'],
    ...readDetail(row.detail),
    reply: row.reply as TransitionView['reply'],
    duration_us: row.durationMicros,
    def_hash: row.defHash,
  };
}

/** Ids that the runtime makes: `timer:<id>:<occurrence>` and `effect:<id>`. */
function causeOf({ messageId, from }: LoggedTransition): TransitionView['cause'] {
  const timer = from === 'timer' ? /^timer:(.*):(\d+)$/s.exec(messageId) : null;
  if (timer !== null) {
    return { kind: 'timer', message_id: messageId, timer_id: timer[1] ?? '', occurrence: Number(timer[2]) };
  }
  if (from === 'effect' && messageId.startsWith('effect:')) {
    return { kind: 'effect', message_id: messageId, effect_id: messageId.slice('effect:'.length) };
  }
  return { kind: 'message', message_id: messageId, from };
}

export function summarizeHint(hint: TransitionHint): TransitionSummary {
  return {
    actor: hint.address,
    seq: String(hint.seq),
    index: hint.index,
    time: isoTime(hint.atMs),
    event_type: hint.eventType,
    outcome: hint.outcome,
    message_id: hint.messageId,
    from: hint.from,
    state: hint.state as TransitionSummary['state'],
  };
}

export function summarizeTransition(row: ProjectTransition): TransitionSummary {
  return summarizeHint({ ...row, state: row.stateAfter });
}

export function presentMail({ envelope, attempts }: MailRow): z.infer<typeof WaitingMail> {
  return {
    message_id: envelope.messageId,
    from: envelope.from,
    priority: envelope.priority,
    event: envelope.event as never,
    creates: envelope.create !== undefined,
    attempts,
    sent_time: envelope.sentAt,
  };
}

export function presentAction(action: StoredOperatorAction): OperatorActionView {
  return {
    id: String(action.id),
    request_id: action.requestId,
    command: action.command as OperatorActionView['command'],
    actor: action.address,
    message_id: action.messageId,
    letter_id: action.letterId === null ? null : String(action.letterId),
    caller: action.caller,
    time: isoTime(action.atMs),
    outcome: action.outcome,
  };
}

export const cursorOf = ({ seq, index }: LogPlace): string => `${seq}.${index}`;

/** A plain `seq` stands for the end of that commit. */
export function placeOf(cursor: string): LogPlace {
  const [seq = '0', index] = cursor.split('.');
  const limit = Number.MAX_SAFE_INTEGER;
  return {
    seq: Math.max(-limit, Math.min(Number(seq), limit)),
    index: index === undefined ? 2 ** 31 - 1 : Number(index),
  };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
