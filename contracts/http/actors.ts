import * as z from 'zod';
import { ActorAddress, Priority } from '../envelope.ts';
import { DecimalString, Timestamp } from '../ids.ts';
import { EffectClass } from '../effect.ts';

/** What an operator may ask of an actor. A kind says which of them it understands. */
export const OperatorCommand = z.enum(['pause', 'resume', 'stop', 'retry', 'drain']);
export type OperatorCommand = z.infer<typeof OperatorCommand>;

export const ActorStatus = z.enum(['active', 'done', 'error', 'fenced', 'needs_migration']);
export const Outcome = z.enum([
  'handled',
  'ignored',
  'conflict',
  'forbidden',
  'dropped_done',
  'stale',
  'poisoned',
  'quarantined',
]);

const RequestId = z.string().regex(/^[A-Za-z0-9_-]{8,80}$/);
const Limit = z.string().regex(/^([1-9]\d?|[1-4]\d\d|500)$/, '1 to 500');
/** `seq.index` of the last row seen; a plain `seq` means "after that commit". */
export const LogCursor = z.string().regex(/^-?\d{1,16}(\.\d{1,6})?$/);
const Page = { limit: Limit.optional() };

export const ActorName = z.object({
  kind: z.string().regex(/^[a-z][a-z0-9-]{1,39}$/),
  id: z.string().regex(/^[A-Za-z0-9_-]{1,120}$/),
});

export const ActorSummary = z.object({
  actor: ActorAddress,
  status: ActorStatus,
  /** XState state value. */
  state: z.json(),
  seq: DecimalString,
  event_seq: DecimalString,
  machine_version: z.int(),
  def_hash: z.string(),
});
export type ActorSummary = z.infer<typeof ActorSummary>;
export const ActorListQuery = z.strictObject({
  kind: ActorName.shape.kind.optional(),
  status: ActorStatus.optional(),
  /** Part of the address. */
  q: z
    .string()
    .regex(/^[A-Za-z0-9_/-]{1,160}$/)
    .optional(),
  after: ActorAddress.optional(),
  ...Page,
});
export const ActorList = z.object({ actors: z.array(ActorSummary), next: ActorAddress.nullable() });

export const ActorDetail = ActorSummary.extend({
  shard: z.int(),
  /** Epoch of the lease that wrote the row. */
  epoch: DecimalString,
  fence: z.object({ scope: z.string(), generation: DecimalString }).nullable(),
  parent: ActorAddress.nullable(),
  context: z.json(),
  /** What the actor shows of itself; `null` when the present code cannot read its row. */
  view: z.json(),
  timers: z.array(z.object({ timer_id: z.string(), occurrence: z.int(), due_time: Timestamp, event_type: z.string() })),
  effects: z.array(
    z.object({
      effect_id: z.string(),
      invoke_id: z.string(),
      src: z.string(),
      class: EffectClass,
      state: z.enum(['pending', 'dispatched']),
      attempt: z.int(),
      not_before_time: Timestamp,
      input: z.json(),
    }),
  ),
  /** Counted up to 10,000. */
  waiting_mail: z.int(),
  /** Why no code here can continue it; its mail stays. */
  parked: z.string().nullable(),
  commands: z.array(OperatorCommand),
});
export type ActorDetail = z.infer<typeof ActorDetail>;

const Edge = z.object({
  from: z.string(),
  on: z.string().nullable(),
  to: z.array(z.string()),
  /** Place among the transitions of `from` on `on`. */
  branch: z.int(),
  microstep: z.int(),
});
const RefusedGuard = z.object({
  guard: z.string(),
  from: z.string(),
  on: z.string(),
  branch: z.int(),
  params: z.json().optional(),
});
/** What a transition was caused by. */
const Cause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), message_id: z.string(), from: z.string() }),
  z.object({ kind: z.literal('timer'), message_id: z.string(), timer_id: z.string(), occurrence: z.int() }),
  z.object({ kind: z.literal('effect'), message_id: z.string(), effect_id: z.string() }),
]);

export const TransitionView = z.object({
  actor: ActorAddress,
  /** 0: mail that no actor took. */
  seq: DecimalString,
  index: z.int(),
  cursor: LogCursor,
  time: Timestamp,
  cause: Cause,
  event_type: z.string(),
  /** Absent parts are in `omitted`. `null`: a timer, or not kept. */
  event: z.json(),
  outcome: Outcome,
  /** Older than what is kept whole: only that it happened is still known. */
  trimmed: z.boolean(),
  reason: z.string().nullable(),
  state_before: z.json(),
  state_after: z.json(),
  edges: z.array(Edge),
  refused: z.array(RefusedGuard),
  /** Changed keys of the context with their new values. */
  context: z.record(z.string(), z.json()),
  removed: z.array(z.string()),
  /** Characters of values that were too long to keep here. */
  omitted: z.object({ context: z.record(z.string(), z.int()), event: z.record(z.string(), z.int()) }),
  logs: z.array(z.json()),
  reply: z.json(),
  duration_us: z.int(),
  def_hash: z.string(),
});
export type TransitionView = z.infer<typeof TransitionView>;
export const TransitionQuery = z.strictObject({
  after: LogCursor.optional(),
  /** `jsonl`: everything after the cursor as lines of JSON, for keeping. */
  format: z.enum(['json', 'jsonl']).optional(),
  ...Page,
});
/** `next`: where to go on; also when nothing more is there now. */
export const TransitionList = z.object({ transitions: z.array(TransitionView), next: LogCursor.nullable() });

/** A transition in one line, for many actors at once. */
export const TransitionSummary = TransitionView.pick({
  actor: true,
  seq: true,
  index: true,
  time: true,
  event_type: true,
  outcome: true,
}).extend({ message_id: z.string(), from: z.string(), state: z.json() });
export type TransitionSummary = z.infer<typeof TransitionSummary>;
/** Milliseconds since 1970; each answer repeats a little of the one before, because commits finish out of order. */
export const ProjectLogQuery = z.strictObject({ after: DecimalString.optional(), ...Page });
export const ProjectLog = z.object({ transitions: z.array(TransitionSummary), next: DecimalString });

export const WaitingMail = z.object({
  message_id: z.string(),
  from: z.string(),
  priority: Priority,
  event: z.json(),
  creates: z.boolean(),
  attempts: z.int(),
  sent_time: z.string(),
});
const MailCursor = z.string().regex(/^[no]\d{1,16}$/);
export const MailQuery = z.strictObject({ after: MailCursor.optional(), ...Page });
export const MailList = z.object({ mail: z.array(WaitingMail), next: MailCursor.nullable() });

export const OperatorActionView = z.object({
  id: DecimalString,
  request_id: z.string(),
  command: z.enum([...OperatorCommand.options, 'redrive']),
  actor: ActorAddress,
  message_id: z.string(),
  letter_id: DecimalString.nullable(),
  /** How the caller was known. */
  caller: z.string(),
  time: Timestamp,
  /** From the actor's log; `null` while it waits. */
  outcome: Outcome.nullable(),
});
export type OperatorActionView = z.infer<typeof OperatorActionView>;
const Backward = { actor: ActorAddress.optional(), before: DecimalString.optional(), ...Page };
export const OperatorActionQuery = z.strictObject(Backward);
export const OperatorActionList = z.object({
  actions: z.array(OperatorActionView),
  next: DecimalString.nullable(),
});

export const SetAsideView = z.object({
  id: DecimalString,
  actor: ActorAddress,
  message_id: z.string(),
  reason: z.string(),
  time: Timestamp,
  /** As it was; anything at all when it could not be read. */
  envelope: z.json(),
  redrives: z.array(OperatorActionView),
});
export const SetAsideQuery = z.strictObject(Backward);
export const SetAsideList = z.object({ messages: z.array(SetAsideView), next: DecimalString.nullable() });

export const OperatorCommandBody = z.strictObject({ command: OperatorCommand, request_id: RequestId });
export const RedriveBody = z.strictObject({ request_id: RequestId });

/** A machine for drawing. */
export const MachineGraph = z.object({
  kind: z.string(),
  machine_version: z.int(),
  def_hash: z.string(),
  /** Id of the outermost state. */
  root: z.string(),
  states: z.array(
    z.object({
      id: z.string(),
      key: z.string(),
      parent: z.string().nullable(),
      type: z.enum(['atomic', 'compound', 'parallel', 'final', 'history']),
      initial: z.string().nullable(),
      entry: z.array(z.string()),
      exit: z.array(z.string()),
      invokes: z.array(
        z.object({ id: z.string(), src: z.string(), class: EffectClass.nullable(), timeout_ms: z.int().nullable() }),
      ),
    }),
  ),
  transitions: z.array(
    z.object({
      from: z.string(),
      /** Empty: taken without an event. */
      on: z.string(),
      to: z.array(z.string()),
      branch: z.int(),
      guard: z.string().nullable(),
      /** Milliseconds, or the name of a delay. */
      delay: z.union([z.int(), z.string()]).nullable(),
      actions: z.array(z.string()),
    }),
  ),
  commands: z.array(OperatorCommand),
});
export type MachineGraph = z.infer<typeof MachineGraph>;
