import * as z from 'zod';
import { DecimalString, Sha256, Timestamp } from '../ids.ts';
import { Clarification, ClarificationAnswer } from '../research/clarification.ts';
import { EngineKind, EngineProfile } from '../research/engine.ts';
import { Gap } from '../research/evidence.ts';
import { Preflight, PreflightLevel } from '../research/preflight.ts';
import { SpecChange } from '../research/spec-change.ts';
import { SpecDifference } from '../research/spec-diff.ts';
import { MinorAmount } from '../research/money.ts';
import { ChatMode, Origins, TaskMode, TaskSpec } from '../research/task-spec.ts';

export const TaskStatus = z.enum([
  'draft',
  'ready',
  'queued',
  'running',
  'pausing',
  'paused',
  'stopping',
  'stopped',
  'completed',
  'partial_failed',
  'failed',
  'cancelled',
]);
export type TaskStatus = z.infer<typeof TaskStatus>;

export const TERMINAL_TASK_STATUSES = ['stopped', 'completed', 'partial_failed', 'failed', 'cancelled'] as const;

export const isTerminal = (status: TaskStatus): boolean =>
  (TERMINAL_TASK_STATUSES as readonly string[]).includes(status);

/** Everything a task may tell the world; the list of the interface contract, closed. */
export const TaskEventType = z.enum([
  'task.created',
  'plan.compiled',
  'plan.confirmed',
  'task.queued',
  'run.started',
  'search.started',
  'search.completed',
  'source.read',
  'source.blocked',
  'evidence.accepted',
  'assertion.verified',
  'conflict.found',
  'coverage.updated',
  'wave.opened',
  'budget.reserved',
  'budget.settled',
  'artifact.sealed',
  'task.pausing',
  'task.paused',
  'run.resumed',
  'task.stopping',
  'task.stopped',
  'task.completed',
  'task.partial_failed',
  'task.failed',
  'result.quarantined',
]);
export type TaskEventType = z.infer<typeof TaskEventType>;

/** What travels on `task:ID`, in SSE and on the socket alike. */
export const TaskEvent = z.object({
  authority_id: z.string(),
  task_id: z.string(),
  event_seq_no: DecimalString,
  event_type: TaskEventType,
  resource_revision: DecimalString,
  server_time: Timestamp,
  data: z.record(z.string(), z.json()),
});
export type TaskEvent = z.infer<typeof TaskEvent>;

/** One node of the plan, as people see it. */
export const PlanNode = z.object({
  work_item_id: z.string(),
  kind: z.enum(['discover', 'read', 'extract', 'verify', 'write']),
  label: z.string(),
  wave: z.int().positive(),
  needs: z.array(z.object({ work_item_id: z.string(), edge: z.enum(['hard', 'optional']) })),
  /** `retry_wait`: a passing failure is being waited out; `retry_time` says until when (PL-04). */
  status: z.enum(['waiting', 'running', 'retry_wait', 'succeeded', 'no_content', 'blocked', 'failed', 'cancelled']),
  started_time: Timestamp.nullable(),
  ended_time: Timestamp.nullable(),
  reason: z.string().nullable(),
  retry_time: Timestamp.nullable().optional(),
  /** What optional needs did not bring; the node went on without it (PL-03). */
  limitations: z.array(z.string()).optional(),
});
export type PlanNode = z.infer<typeof PlanNode>;

export const Coverage = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      assertions: z.int().nonnegative(),
      sources: z.int().nonnegative(),
      covered: z.boolean(),
      /** Sources that have nothing to do with one another: families, not pages. */
      independent: z.int().nonnegative().optional(),
    }),
  ),
  /** Of a data set, one each: whether a question that names the field is covered. */
  fields: z.array(z.object({ name: z.string(), covered: z.boolean() })).optional(),
});
export type Coverage = z.infer<typeof Coverage>;

/** Amounts only ever in one currency; what is not known is counted, never guessed: the cost is then at least `settled_minor`. */
export const Cost = z.object({
  currency: z.string(),
  settled_minor: MinorAmount,
  unknown_calls: z.int().nonnegative(),
  /** Held for calls in flight. */
  reserved_minor: MinorAmount.optional(),
  /** Held for calls that were sent and of whose cost not all is known. */
  held_unknown_minor: MinorAmount.optional(),
  /** Null: no limit of its own. */
  cap_minor: MinorAmount.nullable().optional(),
});
export type Cost = z.infer<typeof Cost>;

export const TaskArtifact = z.object({
  artifact_id: z.string(),
  revision: z.int().positive(),
  title: z.string(),
  status: z.enum(['sealing', 'sealed']),
});

/** A version of the plan and what it has otherwise than the one before. */
export const PlanVersion = z.object({
  plan_version: z.int().positive(),
  /** Null while it is being frozen. */
  plan_hash: Sha256.nullable(),
  changes: z.array(SpecDifference),
  by: z.enum(['compiler', 'user']),
  compiled_time: Timestamp,
});
export type PlanVersion = z.infer<typeof PlanVersion>;

/** TK-06: what a task took over from the one before it. */
export const Continuation = z.object({
  task_id: z.string(),
  /** SHA-256 over the canonical JSON of the gaps that the earlier task left. */
  gap_fingerprint: Sha256,
  /** With the time they were really read. */
  reused: z.array(z.object({ source_revision_id: z.string(), url: z.string(), retrieved_time: Timestamp })),
  refused: z.array(z.object({ source_revision_id: z.string(), obstacles: z.array(z.string()) })),
});
export type Continuation = z.infer<typeof Continuation>;

export const TaskView = z.object({
  task_id: z.string(),
  conversation_id: z.string().nullable(),
  turn_id: z.string().nullable(),
  parent_task_id: z.string().nullable(),
  status: TaskStatus,
  mode: TaskMode,
  title: z.string(),
  engine: EngineKind,
  engine_profile: EngineProfile.nullable().optional(),
  task_spec: TaskSpec.nullable(),
  origins: Origins.nullable(),
  plan: z.array(PlanNode),
  plan_version: z.int().nonnegative(),
  plan_hash: Sha256.nullable(),
  plan_history: z.array(PlanVersion).optional(),
  /** Open conditions, all asked at once; the task waits for the answers. */
  clarifications: z.array(Clarification).optional(),
  preflight: Preflight.nullable().optional(),
  /** Why the plan waits for a start by a person; empty when it needs none. */
  confirmation_reasons: z.array(z.string()).optional(),
  /** The longest chain of nodes by recorded time: what the duration really hung on. */
  critical_path: z.array(z.string()).optional(),
  continues: Continuation.nullable().optional(),
  run_id: z.string().nullable(),
  cancel_generation: DecimalString,
  event_seq: DecimalString,
  coverage: Coverage,
  gaps: z.array(Gap),
  cost: Cost,
  artifacts: z.array(TaskArtifact),
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
  created_time: Timestamp,
  ended_time: Timestamp.nullable(),
});
export type TaskView = z.infer<typeof TaskView>;

/** Commands from people and programs. `request_id` makes them repeatable; the runtime checks `expected_event_seq`. */
export const TaskCommand = z.discriminatedUnion('type', [
  /** Another version of the plan; without changes the request is compiled once more. */
  z.object({ type: z.literal('task.compile'), changes: z.array(SpecChange).min(1).max(50).optional() }),
  z.object({ type: z.literal('task.preflight'), level: PreflightLevel.optional() }),
  z.object({
    type: z.literal('task.answer'),
    answers: z.array(ClarificationAnswer).max(8).optional(),
    decide_for_me: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('task.start'),
    plan_hash: Sha256,
    plan_version: z.int().positive(),
    preflight_id: z.string().optional(),
  }),
  z.object({ type: z.literal('task.pause') }),
  z.object({ type: z.literal('task.resume') }),
  z.object({ type: z.literal('task.stop') }),
  z.object({ type: z.literal('task.cancel') }),
]);
export type TaskCommand = z.infer<typeof TaskCommand>;

/** What creates a task. */
export const TaskRequest = z.object({
  task_id: z.string(),
  conversation_id: z.string().nullable(),
  turn_id: z.string().nullable(),
  /** The task that this one continues (TK-06): what it found is reused as far as that is allowed. */
  parent_task_id: z.string().nullable(),
  text: z.string().min(1).max(20_000),
  mode: ChatMode,
  /** Start without a click when the request is clear, low-risk and inside approved policy. */
  auto_start: z.boolean(),
  created_time: Timestamp,
  /** The operation that creating it answers, when a program asked for it directly. */
  operation_id: z.string().optional(),
  request_id: z.string().optional(),
});
export type TaskRequest = z.infer<typeof TaskRequest>;
