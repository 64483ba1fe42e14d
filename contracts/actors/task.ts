import * as z from 'zod';
import { DecimalString, Sha256, Timestamp } from '../ids.ts';
import { Gap } from '../research/evidence.ts';
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
  status: z.enum(['waiting', 'running', 'succeeded', 'no_content', 'blocked', 'failed', 'cancelled']),
  started_time: Timestamp.nullable(),
  ended_time: Timestamp.nullable(),
  reason: z.string().nullable(),
});
export type PlanNode = z.infer<typeof PlanNode>;

export const Coverage = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      assertions: z.int().nonnegative(),
      sources: z.int().nonnegative(),
      covered: z.boolean(),
    }),
  ),
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

export const TaskView = z.object({
  task_id: z.string(),
  conversation_id: z.string().nullable(),
  turn_id: z.string().nullable(),
  parent_task_id: z.string().nullable(),
  status: TaskStatus,
  mode: TaskMode,
  title: z.string(),
  engine: z.enum(['extractive']),
  task_spec: TaskSpec.nullable(),
  origins: Origins.nullable(),
  plan: z.array(PlanNode),
  plan_version: z.int().nonnegative(),
  plan_hash: Sha256.nullable(),
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
  z.object({ type: z.literal('task.start'), plan_hash: Sha256, plan_version: z.int().positive() }),
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
