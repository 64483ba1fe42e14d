import type { MessageView } from '#contracts/actors/conversation.ts';
import type { TaskDetail } from '#contracts/http/tasks.ts';

export function aMessage(change: Partial<MessageView> = {}): MessageView {
  return {
    message_id: 'msg_00000001',
    message_revision_id: 'mrv_00000001',
    revision: 1,
    author: 'user',
    turn_id: 'trn_00000001',
    conversation_seq: '1',
    client_message_id: 'cm_00000001',
    text: 'How do I stop a task?',
    mode: 'smart',
    parts: [],
    task_id: null,
    created_time: '2026-11-30T10:00:00.000Z',
    edited: false,
    ...change,
  };
}

export function aTaskDetail(change: Partial<TaskDetail> = {}): TaskDetail {
  return {
    task_id: 'tsk_00000001',
    conversation_id: 'cnv_00000001',
    turn_id: 'trn_00000001',
    parent_task_id: null,
    status: 'running',
    mode: 'quick_search',
    title: 'How do I stop a task?',
    engine: 'extractive',
    task_spec: null,
    origins: null,
    plan: [],
    plan_version: 1,
    plan_hash: null,
    run_id: null,
    cancel_generation: '0',
    event_seq: '1',
    snapshot_event_seq: '1',
    coverage: { questions: [] },
    gaps: [],
    cost: { currency: 'USD', settled_minor: '0', unknown_calls: 0 },
    artifacts: [],
    problem: null,
    created_time: '2026-11-30T10:00:00.000Z',
    ended_time: null,
    ...change,
  };
}

/** localStorage as a plain value; survives being handed to a second reader, like a reload. */
export function memoryStorage() {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    getItem: (key: string) => values.get(key) ?? null,
    key: (index: number) => [...values.keys()][index] ?? null,
    removeItem: (key: string) => void values.delete(key),
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}
