import * as z from 'zod';
import { DecimalString, OperationId, Sha256 } from '../ids.ts';
import { TaskStatus, TaskView } from '../actors/task.ts';
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

/** Body of pause, resume, stop, cancel, compile-plan, preflight, continue-as-new. */
export const TaskCommandBody = z.strictObject({ request_id: RequestId, expected_event_seq: DecimalString.optional() });
export const StartTask = TaskCommandBody.extend({ plan_hash: Sha256, plan_version: z.int().positive() });

export const OperationAccepted = z.object({ operation_id: OperationId, task_id: z.string(), event_seq: DecimalString });
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
