import type { TaskRequest, TaskStatus, TaskView } from '#contracts/actors/task.ts';
import type { FakeActor, FakeBehaviour, Turn } from './actor-world.ts';

/** From which statuses a command is possible, where it leads and what it tells. */
const COMMANDS: Readonly<Record<string, { from: readonly TaskStatus[]; to: TaskStatus; tells: string }>> = {
  'task.start': { from: ['ready'], to: 'running', tells: 'run.started' },
  'task.pause': { from: ['running'], to: 'paused', tells: 'task.paused' },
  'task.resume': { from: ['paused'], to: 'running', tells: 'run.resumed' },
  'task.stop': { from: ['running', 'paused'], to: 'stopped', tells: 'task.stopped' },
  'task.cancel': { from: ['draft', 'ready', 'queued'], to: 'cancelled', tells: 'task.stopped' },
};

/** A task that has its statuses and stores its operations; no work is ever done. */
export const taskBehaviour: FakeBehaviour = {
  create(actor, input) {
    const request = input as unknown as TaskRequest & { operation_id: string };
    actor.state = { request, status: request.auto_start ? 'running' : 'ready', operations: [request.operation_id] };
    actor.publish('task.created', { title: request.text.slice(0, 80) });
  },
  receive(actor, event): Turn {
    const command = COMMANDS[event.type];
    if (command === undefined) return { outcome: 'forbidden' };
    if (!command.from.includes(actor.state['status'] as TaskStatus)) return { outcome: 'ignored' };
    if (event.type === 'task.start' && event['plan_version'] !== 1) {
      const problem = { code: 'request.conflict', message: 'the plan is at version 1', retry: { kind: 'never' } };
      return { outcome: 'handled', reply: { problem } };
    }
    actor.state['status'] = command.to;
    (actor.state['operations'] as unknown[]).push(event['operation_id']);
    const seq = actor.publish(command.tells, {});
    const reply = { operation_id: event['operation_id'], task_id: actor.id, event_seq: String(seq) };
    return { outcome: 'handled', reply };
  },
};

export function taskView(actor: FakeActor): TaskView {
  const request = actor.state['request'] as TaskRequest;
  return {
    task_id: actor.id,
    conversation_id: request.conversation_id,
    turn_id: request.turn_id,
    parent_task_id: request.parent_task_id,
    status: actor.state['status'] as TaskStatus,
    mode: request.mode === 'smart' ? 'quick_search' : request.mode,
    title: request.text.slice(0, 80),
    engine: 'extractive',
    task_spec: null,
    origins: null,
    plan: [],
    plan_version: 1,
    plan_hash: null,
    run_id: null,
    cancel_generation: '0',
    event_seq: String(actor.eventSeq),
    coverage: { questions: [] },
    gaps: [],
    cost: { currency: 'USD', settled_minor: '0', unknown_calls: 0 },
    artifacts: [],
    problem: null,
    created_time: request.created_time,
    ended_time: null,
  };
}
