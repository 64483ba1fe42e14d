import type { TaskEvent, TaskEventType } from '#contracts/actors/task.ts';
import type { StreamEvent } from '#contracts/ports/event-streams.ts';
import type { StreamEventMessage } from '#contracts/sockets/protocol.ts';
import type { Json } from '#contracts/json.ts';

/** What people and programs see of one stored event of `task:ID`, in SSE and on the socket alike. */
export function presentTaskEvent(event: StreamEvent): TaskEvent {
  return {
    authority_id: event.stream,
    task_id: event.stream.slice(event.stream.indexOf(':') + 1),
    event_seq_no: String(event.seq),
    event_type: event.type as TaskEventType,
    resource_revision: String(event.seq),
    server_time: new Date(event.atMs).toISOString(),
    data: asRecord(event.data),
  };
}

/** Data of an event as it travels: the whole task event for tasks, the event's own data for conversations. */
export function presentStreamData(event: StreamEvent): StreamEventMessage['data'] {
  return event.stream.startsWith('task:') ? presentTaskEvent(event) : (event.data as StreamEventMessage['data']);
}

function asRecord(data: Json): TaskEvent['data'] {
  const isRecord = typeof data === 'object' && data !== null && !Array.isArray(data);
  return (isRecord ? data : { value: data }) as TaskEvent['data'];
}
