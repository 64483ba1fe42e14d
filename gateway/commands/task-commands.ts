import { fail, PlatformError } from '#contracts/errors.ts';
import { CREATE_ONLY } from '#contracts/envelope.ts';
import { isTerminal, type TaskRequest, type TaskView } from '#contracts/actors/task.ts';
import {
  AnswerTask,
  CompilePlan,
  ContinueTask,
  OperationAccepted,
  PreflightTask,
  StartTask,
  TaskCommandBody,
  type CreateTask,
} from '#contracts/http/tasks.ts';
import type { ChatMode } from '#contracts/research/task-spec.ts';
import type { ActorMessage } from '#contracts/ports/actor-client.ts';
import type { ConsumedMessage } from '#contracts/ports/actor-store.ts';
import type * as z from 'zod';
import { DEFAULT_ASK_TIMEOUT_MS, type GatewayDependencies } from '../dependencies.ts';
import { deriveId, hashOf } from '../derived-ids.ts';
import { assertHandled } from './outcome.ts';
import { requireConversation } from './conversation-commands.ts';

/** Commands of a task by the mail they become: the last part of their path, and what a caller sends. */
export const TASK_COMMANDS = {
  'task.compile': { path: 'compile-plan', body: CompilePlan },
  'task.preflight': { path: 'preflight', body: PreflightTask },
  'task.answer': { path: 'answer', body: AnswerTask },
  'task.start': { path: 'start', body: StartTask },
  'task.pause': { path: 'pause', body: TaskCommandBody },
  'task.resume': { path: 'resume', body: TaskCommandBody },
  'task.stop': { path: 'stop', body: TaskCommandBody },
  'task.cancel': { path: 'cancel', body: TaskCommandBody },
  'task.continue': { path: 'continue-as-new', body: ContinueTask },
} as const;
export type TaskCommandName = keyof typeof TASK_COMMANDS;
type CommandBody = { request_id: string; expected_event_seq?: string | undefined } & Readonly<Record<string, unknown>>;

/** Steps that a task of an older release does by itself; it then does not know the command and the answer says so. */
const OPTIONAL_COMMANDS: readonly string[] = ['task.compile', 'task.preflight', 'task.answer'];
/** Read before other mail, so that a stop never queues behind a backlog. */
const OPERATOR_COMMANDS: readonly string[] = ['task.pause', 'task.resume', 'task.stop', 'task.cancel'];

/** Creates a task; the same `request_id` with the same content is the same task. */
export async function createTask(
  gateway: GatewayDependencies,
  project: string,
  body: z.infer<typeof CreateTask>,
): Promise<OperationAccepted> {
  const conversationId = body.conversation_id ?? null;
  if (conversationId !== null) await requireConversation(gateway, { project, conversationId });
  const taskId = deriveId('tsk', [project, body.request_id]);
  const operationId = deriveId('opr', [project, taskId, body.request_id]);
  const request: TaskRequest = {
    task_id: taskId,
    conversation_id: conversationId,
    turn_id: null,
    parent_task_id: null,
    text: body.text,
    mode: body.mode,
    auto_start: body.auto_start ?? true,
    created_time: nowTime(gateway),
  };
  const consumed = await gateway.client.ask(
    {
      project,
      to: `task/${taskId}`,
      from: 'http',
      messageId: `http:${taskId}:${body.request_id}`,
      event: { type: CREATE_ONLY },
      create: { input: { ...request, operation_id: operationId, request_id: body.request_id } },
      contentHash: hashOf([body.text, body.mode, conversationId ?? '', String(request.auto_start)]),
    },
    gateway.askTimeoutMs ?? DEFAULT_ASK_TIMEOUT_MS,
  );
  assertHandled(consumed, () => 'there');
  return accepted(consumed, taskId, operationId);
}

/** One command of a person or a program, from HTTP or from a socket alike. */
export async function commandTask(
  gateway: GatewayDependencies,
  target: { project: string; taskId: string; from: 'http' | 'socket' },
  name: TaskCommandName,
  body: CommandBody,
): Promise<OperationAccepted> {
  const task = await requireTask(gateway, target.project, target.taskId);
  const { request_id: requestId, expected_event_seq: expected, ...rest } = body;
  const operationId = deriveId('opr', [target.project, target.taskId, requestId]);
  if (name === 'task.continue') return continueTask(gateway, target, { task, operationId, requestId, ...rest });
  const message: ActorMessage = {
    project: target.project,
    to: `task/${target.taskId}`,
    from: target.from,
    messageId: `http:${target.taskId}:${requestId}`,
    event: { type: name, ...rest, operation_id: operationId, request_id: requestId, time: nowTime(gateway) },
    contentHash: hashOf([name, expected ?? '', JSON.stringify(rest)]),
    priority: OPERATOR_COMMANDS.includes(name) ? 'operator' : 'normal',
    ...(expected === undefined ? {} : { ifEventSeq: Number(expected) }),
  };
  const consumed = OPTIONAL_COMMANDS.includes(name)
    ? await askOptional(gateway, message)
    : await gateway.client.ask(message, gateway.askTimeoutMs ?? DEFAULT_ASK_TIMEOUT_MS);
  const present = consumed.outcome === 'handled' ? task : await requireTask(gateway, target.project, target.taskId);
  assertHandled(consumed, () => present.status);
  return accepted(consumed, target.taskId, operationId);
}

type Continuing = {
  readonly task: TaskView;
  readonly operationId: string;
  readonly requestId: string;
  readonly text?: string;
  readonly mode?: ChatMode;
};

/**
 * TK-06: an ended task takes no mail, so the task that goes on is made here, under an id that the same request makes again.
 * What it may take over it looks up itself.
 */
async function continueTask(
  gateway: GatewayDependencies,
  target: { project: string; taskId: string; from: 'http' | 'socket' },
  { task, operationId, requestId, text, mode }: Continuing,
): Promise<OperationAccepted> {
  const { project, taskId } = target;
  if (!isTerminal(task.status) && task.status !== 'paused') {
    fail('actor.ignored', `this is not possible while it is ${task.status}`, { details: { status: task.status } });
  }
  const newTaskId = deriveId('tsk', [project, taskId, requestId]);
  const request: TaskRequest = {
    task_id: newTaskId,
    conversation_id: task.conversation_id,
    turn_id: task.turn_id,
    parent_task_id: taskId,
    text: text ?? task.task_spec?.requirement_text ?? task.title,
    mode: mode ?? task.mode,
    auto_start: true,
    created_time: nowTime(gateway),
  };
  const consumed = await gateway.client.ask(
    {
      project,
      to: `task/${newTaskId}`,
      from: target.from,
      messageId: `http:${newTaskId}:${requestId}`,
      event: { type: CREATE_ONLY },
      create: { input: { ...request, operation_id: operationId, request_id: requestId } },
      contentHash: hashOf(['task.continue', request.text, request.mode]),
    },
    gateway.askTimeoutMs ?? DEFAULT_ASK_TIMEOUT_MS,
  );
  assertHandled(consumed, () => 'there');
  return { ...accepted(consumed, taskId, operationId), task_id: taskId, new_task_id: newTaskId };
}

/** A step that this version's task does by itself is unknown to its actor, which is no mistake of the caller. */
async function askOptional(gateway: GatewayDependencies, message: ActorMessage): Promise<ConsumedMessage> {
  const unavailable = (cause?: unknown) =>
    fail('mode.not_available', `${message.event.type} is not available in this version; a task does this by itself`, {
      cause,
    });
  try {
    const consumed = await gateway.client.ask(message, gateway.askTimeoutMs ?? DEFAULT_ASK_TIMEOUT_MS);
    return consumed.outcome === 'ignored' ? unavailable() : consumed;
  } catch (cause) {
    const isUnknown = cause instanceof PlatformError && cause.failure.code === 'actor.forbidden_event';
    return isUnknown ? unavailable(cause) : Promise.reject(cause as Error);
  }
}

export async function requireTask(gateway: GatewayDependencies, project: string, taskId: string): Promise<TaskView> {
  return (await gateway.reads.tasks.find(project, taskId)) ?? fail('resource.not_found', 'there is no such task');
}

function accepted(consumed: ConsumedMessage, taskId: string, operationId: string): OperationAccepted {
  const replied = OperationAccepted.safeParse(consumed.reply);
  if (replied.success) return replied.data;
  return { operation_id: operationId, task_id: taskId, event_seq: String(consumed.eventSeq) };
}

const nowTime = (gateway: GatewayDependencies): string => new Date(gateway.clock.nowMs()).toISOString();
