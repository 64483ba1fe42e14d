import type { TaskRequest, TaskView } from '#contracts/actors/task.ts';

/**
 * The task's row as of the commit that creates it, so that a task somebody was told of can be looked up at once.
 * From its first own transition on, the task replaces it.
 */
export function draftTaskRow(request: TaskRequest): Readonly<Record<string, unknown>> {
  const mode = request.mode === 'smart' ? 'quick_search' : request.mode;
  const view: TaskView = {
    task_id: request.task_id,
    conversation_id: request.conversation_id,
    turn_id: request.turn_id,
    parent_task_id: request.parent_task_id,
    status: 'draft',
    mode,
    title: [...request.text.replace(/\s+/gu, ' ').trim()].slice(0, 80).join(''),
    engine: 'extractive',
    task_spec: null,
    origins: null,
    plan: [],
    plan_version: 0,
    plan_hash: null,
    run_id: null,
    cancel_generation: '0',
    event_seq: '0',
    coverage: { questions: [] },
    gaps: [],
    cost: { currency: 'USD', settled_minor: '0', unknown_calls: 0 },
    artifacts: [],
    problem: null,
    created_time: request.created_time,
    ended_time: null,
  };
  return {
    id: request.task_id,
    conversation_id: request.conversation_id,
    turn_id: request.turn_id,
    parent_task_id: request.parent_task_id,
    status: 'draft',
    mode,
    view,
    updated_at: request.created_time,
  };
}
