import * as z from 'zod';
import { CreateTask, OperationAccepted, TaskDetail, TaskList, TaskListQuery } from '#contracts/http/tasks.ts';
import { TaskId } from '#contracts/ids.ts';
import {
  commandTask,
  createTask,
  requireTask,
  TASK_COMMANDS,
  type TaskCommandName,
} from '../../commands/task-commands.ts';
import { presentTask } from '../../presenters/snapshot.ts';
import { presentTaskEvent } from '../../presenters/stream-event.ts';
import { answerEventStream } from '../event-stream.ts';
import { assertIdempotencyKey } from '../idempotency-key.ts';
import { defineRoute, type Route } from '../route.ts';

const LIST_LIMIT = 500;
const ById = z.object({ task_id: TaskId });
const EventsQuery = z.strictObject({ after: z.string().max(200).optional() });

const SUMMARIES: Record<TaskCommandName, string> = {
  'task.compile': 'Compile another version of the plan, with changes or from the request again',
  'task.preflight': 'Check whether the plan can run; only a probe touches the world',
  'task.answer': 'Answer what the task asked, or leave it to the platform',
  'task.start': 'Start with a confirmed plan: exactly this version and hash',
  'task.pause': 'Pause: what runs is finished or put back, nothing new begins',
  'task.resume': 'Go on after a pause',
  'task.stop': 'Stop and keep what was found',
  'task.cancel': 'Cancel before anything ran',
  'task.continue': 'Go on as a new task that may use what this one found',
};

const list = defineRoute({
  method: 'get',
  path: '/tasks',
  summary: 'Tasks of the project, newest first',
  access: 'signed_in',
  query: TaskListQuery,
  answer: { status: 200, schema: TaskList, description: 'At most 500' },
  handle: async (gateway, { project, query }) => {
    const tasks = await gateway.reads.tasks.list(project, {
      limit: LIST_LIMIT,
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(query.conversation_id === undefined ? {} : { conversationId: query.conversation_id }),
    });
    return { tasks: tasks.map(presentTask) };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/tasks',
  summary: 'Create a task; it starts by itself when the request is clear unless `auto_start` is false',
  access: 'signed_in',
  body: CreateTask,
  answer: { status: 202, schema: OperationAccepted, description: 'Stored; the same `request_id` is the same task' },
  handle: async (gateway, { project, body, ctx }) => {
    assertIdempotencyKey(ctx, body.request_id);
    return createTask(gateway, project, body);
  },
});

const get = defineRoute({
  method: 'get',
  path: '/tasks/:task_id',
  summary: 'A task as it stands',
  access: 'signed_in',
  params: ById,
  answer: { status: 200, schema: TaskDetail, description: 'Go on with the events after `snapshot_event_seq`' },
  handle: async (gateway, { project, params }) => presentTask(await requireTask(gateway, project, params.task_id)),
});

const events = defineRoute({
  method: 'get',
  path: '/tasks/:task_id/events',
  summary: 'Events of a task (SSE), the authority on what happened',
  access: 'signed_in',
  params: ById,
  query: EventsQuery,
  requestHeaders: [{ name: 'Last-Event-ID', isRequired: false, what: '`<task_id>:<seq>` of the last event seen' }],
  answer: { status: 200, mediaType: 'text/event-stream', description: 'id `<task_id>:<seq>`; 410 when ahead' },
  handle: async (gateway, { project, params, query, ctx }) => {
    await requireTask(gateway, project, params.task_id);
    const source = { project, kind: 'task' as const, id: params.task_id, present: presentTaskEvent };
    return answerEventStream(gateway, ctx, source, query.after);
  },
});

const commands = Object.entries(TASK_COMMANDS).map(([name, { path, body }]) =>
  defineRoute({
    method: 'post',
    path: `/tasks/:task_id/${path}`,
    summary: SUMMARIES[name as TaskCommandName],
    access: 'signed_in',
    params: ById,
    body,
    answer: {
      status: 202,
      schema: OperationAccepted,
      description: 'Accepted; 409 when not possible now, 412 when `expected_event_seq` is no longer true',
    },
    handle: async (gateway, { project, params, body: command, ctx }) => {
      assertIdempotencyKey(ctx, command.request_id);
      return commandTask(gateway, { project, taskId: params.task_id, from: 'http' }, name as TaskCommandName, command);
    },
  }),
);

export const taskRoutes: readonly Route[] = [list, create, get, events, ...commands];
