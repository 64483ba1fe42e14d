import type { ConversationView, MessageView } from '#contracts/actors/conversation.ts';
import type { ConversationDetail } from '#contracts/http/conversations.ts';
import type { TaskDetail } from '#contracts/http/tasks.ts';
import { compareSeq, judgeArrival, type Arrival } from './cursor.ts';
import { applyFact, EMPTY_ACTIVITY, isOver, type TaskActivity, type TaskFact } from './task-activity.ts';

/*
 * The client's copy of what the server has committed. Pure.
 * Owns:     conversations, messages and tasks as folded from snapshots and numbered events; one cursor a stream.
 * Owns not: drafts, unsent commands, what is on the screen.
 *   1. An event is applied once, in order: duplicates change nothing, a gap changes nothing and is reported.
 *   2. A snapshot older than the cursor never takes anything back.
 *   3. A message is one entry by its id; order is the conversation's, not arrival.
 */

export type ReplicaTask = { readonly detail: TaskDetail | null; readonly activity: TaskActivity };

export type Replica = {
  readonly conversations: Readonly<Record<string, ConversationView>>;
  readonly messages: Readonly<Record<string, readonly MessageView[]>>;
  readonly tasks: Readonly<Record<string, ReplicaTask>>;
  readonly cursors: Readonly<Record<string, string>>;
};

export const EMPTY_REPLICA: Replica = { conversations: {}, messages: {}, tasks: {}, cursors: {} };

export type StreamEvent = {
  readonly stream: string;
  readonly seq: string;
  readonly type: string;
  readonly data: unknown;
};
export type Applied = { readonly replica: Replica; readonly arrival: Arrival };

export const cursorOf = (replica: Replica, stream: string): string => replica.cursors[stream] ?? '0';

export function applyEvent(replica: Replica, event: StreamEvent): Applied {
  const arrival = judgeArrival(cursorOf(replica, event.stream), event.seq);
  if (arrival !== 'next') return { replica, arrival };
  const moved = { ...replica, cursors: { ...replica.cursors, [event.stream]: event.seq } };
  const [kind, id = ''] = splitStream(event.stream);
  if (kind === 'conversation') return { replica: foldConversation(moved, id, event), arrival };
  return { replica: foldTask(moved, id, event), arrival };
}

/** The server no longer has the events after our cursor: its snapshot replaces ours, and numbering goes on from `seq`. */
export function applyResync(replica: Replica, stream: string, snapshot: unknown, seq: string): Replica {
  const [kind, id = ''] = splitStream(stream);
  const moved = { ...replica, cursors: { ...replica.cursors, [stream]: seq } };
  if (kind === 'conversation') return replaceConversation(moved, id, snapshot as Partial<ConversationDetail>);
  const detail = snapshot as TaskDetail;
  return { ...moved, tasks: { ...moved.tasks, [id]: { detail, activity: activityOfDetail(EMPTY_ACTIVITY, detail) } } };
}

export function putConversations(replica: Replica, views: readonly ConversationView[]): Replica {
  const conversations: Record<string, ConversationView> = {};
  for (const view of views) {
    const known = replica.conversations[view.conversation_id];
    conversations[view.conversation_id] =
      known !== undefined && compareSeq(known.conversation_seq, view.conversation_seq) > 0 ? known : view;
  }
  return { ...replica, conversations: { ...replica.conversations, ...conversations } };
}

export function putConversation(replica: Replica, detail: ConversationDetail): Replica {
  const stream = `conversation:${detail.conversation_id}`;
  if (compareSeq(detail.conversation_seq, cursorOf(replica, stream)) < 0) return replica;
  const moved = { ...replica, cursors: { ...replica.cursors, [stream]: detail.conversation_seq } };
  return replaceConversation(moved, detail.conversation_id, detail);
}

/** Takes the parts of a task that events do not carry (plan, gaps, cost); counts stay the events' own. */
export function putTask(replica: Replica, detail: TaskDetail): Replica {
  const known = replica.tasks[detail.task_id] ?? { detail: null, activity: EMPTY_ACTIVITY };
  if (known.detail !== null && compareSeq(known.detail.event_seq, detail.event_seq) > 0) return replica;
  const ahead = compareSeq(cursorOf(replica, `task:${detail.task_id}`), detail.event_seq) >= 0;
  const activity = ahead ? known.activity : activityOfDetail(known.activity, detail);
  return { ...replica, tasks: { ...replica.tasks, [detail.task_id]: { detail, activity } } };
}

function activityOfDetail(activity: TaskActivity, detail: TaskDetail): TaskActivity {
  return {
    ...activity,
    status: detail.status,
    startedTime: activity.startedTime ?? detail.created_time,
    endedTime: isOver(detail.status) ? (detail.ended_time ?? activity.endedTime) : null,
    problem: detail.problem ?? activity.problem,
  };
}

const splitStream = (stream: string): string[] => {
  const at = stream.indexOf(':');
  return [stream.slice(0, at), stream.slice(at + 1)];
};

function replaceConversation(replica: Replica, id: string, detail: Partial<ConversationDetail>): Replica {
  const { messages = [], ...view } = detail;
  return {
    ...replica,
    conversations: { ...replica.conversations, [id]: view as ConversationView },
    messages: { ...replica.messages, [id]: inOrder(messages) },
  };
}

function foldConversation(replica: Replica, id: string, event: StreamEvent): Replica {
  const data = (event.data ?? {}) as { message?: MessageView; title?: string; hidden?: boolean };
  if ((event.type === 'message.posted' || event.type === 'message.changed') && data.message !== undefined) {
    const { message } = data;
    const others = (replica.messages[id] ?? []).filter((one) => one.message_id !== message.message_id);
    const touched = changeView(replica, id, event.seq, { updated_time: message.created_time });
    return { ...touched, messages: { ...touched.messages, [id]: inOrder([...others, message]) } };
  }
  if (event.type === 'conversation.renamed' && typeof data.title === 'string') {
    return changeView(replica, id, event.seq, { title: data.title });
  }
  if (event.type === 'conversation.hidden' && typeof data.hidden === 'boolean') {
    return changeView(replica, id, event.seq, { hidden: data.hidden });
  }
  return changeView(replica, id, event.seq, {});
}

function changeView(replica: Replica, id: string, seq: string, change: Partial<ConversationView>): Replica {
  const known = replica.conversations[id];
  if (known === undefined) return replica;
  return {
    ...replica,
    conversations: { ...replica.conversations, [id]: { ...known, ...change, conversation_seq: seq } },
  };
}

const inOrder = (messages: readonly MessageView[]): readonly MessageView[] =>
  messages.toSorted((a, b) => compareSeq(a.conversation_seq, b.conversation_seq));

/** The socket may carry the whole task event or only its payload. */
function factOf(event: StreamEvent): TaskFact {
  const data = (typeof event.data === 'object' && event.data !== null ? event.data : {}) as Record<string, unknown>;
  if (typeof data['event_type'] !== 'string') return { type: event.type, data, time: null };
  const inner = (typeof data['data'] === 'object' && data['data'] !== null ? data['data'] : {}) as Record<
    string,
    unknown
  >;
  return {
    type: data['event_type'],
    data: inner,
    time: typeof data['server_time'] === 'string' ? data['server_time'] : null,
  };
}

/** Replayed events count what happened; a status that a newer snapshot told is not taken back by them. */
function foldTask(replica: Replica, id: string, event: StreamEvent): Replica {
  const known = replica.tasks[id] ?? { detail: null, activity: EMPTY_ACTIVITY };
  const counted = applyFact(known.activity, factOf(event));
  const isReplay = known.detail !== null && compareSeq(event.seq, known.detail.event_seq) < 0;
  const { status, endedTime, problem } = known.activity;
  const activity = isReplay ? { ...counted, status, endedTime, problem } : counted;
  return { ...replica, tasks: { ...replica.tasks, [id]: { ...known, activity } } };
}
