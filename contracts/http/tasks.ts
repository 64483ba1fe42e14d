import * as z from 'zod';
import { DecimalString, OperationId, Sha256 } from '../ids.ts';
import { TaskStatus, TaskView } from '../actors/task.ts';
import { ClarificationAnswer } from '../research/clarification.ts';
import { PreflightLevel } from '../research/preflight.ts';
import { SpecChange } from '../research/spec-change.ts';
import { ChatMode } from '../research/task-spec.ts';
import { typedText } from './typed-text.ts';

const RequestId = z.string().regex(/^[A-Za-z0-9_-]{8,80}$/);

export const CreateTask = z.strictObject({
  request_id: RequestId,
  text: typedText(20_000),
  mode: ChatMode,
  conversation_id: z.string().optional(),
  auto_start: z.boolean().optional(),
});

/** Body of pause, resume, stop, cancel. */
export const TaskCommandBody = z.strictObject({ request_id: RequestId, expected_event_seq: DecimalString.optional() });

/** Another version of the plan, with these values otherwise. Without changes the request is compiled once more. */
export const CompilePlan = TaskCommandBody.extend({ changes: z.array(SpecChange).min(1).max(50).optional() });

/** `static_only` when absent. A probe touches the world: it starts a browser and asks the search and the model endpoint. */
export const PreflightTask = TaskCommandBody.extend({ level: PreflightLevel.optional() });

/** Answers to what the task asked; what is not answered is decided by the platform only when that is said. */
export const AnswerTask = TaskCommandBody.extend({
  answers: z.array(ClarificationAnswer).max(8).optional(),
  decide_for_me: z.boolean().optional(),
}).refine(
  (body) => (body.answers?.length ?? 0) > 0 || body.decide_for_me === true,
  'expected answers or decide_for_me',
);

/** A start names one exact version: its number, its hash and, when it was checked apart, that check. */
export const StartTask = TaskCommandBody.extend({
  plan_hash: Sha256,
  plan_version: z.int().positive(),
  preflight_id: z.string().min(1).max(100).optional(),
});

/** New work after the end: a task of its own that may use what this one found. `text` is what is wanted beyond it. */
export const ContinueTask = TaskCommandBody.extend({ text: typedText(20_000).optional(), mode: ChatMode.optional() });

export const OperationAccepted = z.object({
  operation_id: OperationId,
  task_id: z.string(),
  event_seq: DecimalString,
  /** The task that goes on, when this command made one. */
  new_task_id: z.string().optional(),
});
export type OperationAccepted = z.infer<typeof OperationAccepted>;

export const TaskDetail = TaskView.extend({ snapshot_event_seq: DecimalString });
export type TaskDetail = z.infer<typeof TaskDetail>;

export const TaskListQuery = z.strictObject({ status: TaskStatus.optional(), conversation_id: z.string().optional() });
export const TaskList = z.object({ tasks: z.array(TaskDetail) });

export const OperationView = z.object({
  operation_id: OperationId,
  status: z.enum(['accepted', 'done', 'refused']),
  result: z.json().optional(),
  problem: z.json().optional(),
});
export type OperationView = z.infer<typeof OperationView>;
