import { isTerminal, type Coverage, type TaskView } from '#contracts/actors/task.ts';
import { suffixOf } from '#contracts/ids.ts';
import type { TaskState } from './contract.ts';

export function coverageOf(state: Pick<TaskState, 'questions'>): Coverage {
  return {
    questions: state.questions.map(({ question, assertions, sources }) => ({
      question,
      assertions,
      sources,
      covered: assertions > 0,
    })),
  };
}

export function viewTask(state: TaskState): TaskView {
  return {
    task_id: state.task_id,
    conversation_id: state.request.conversation_id,
    turn_id: state.request.turn_id,
    parent_task_id: state.request.parent_task_id,
    status: state.status,
    mode: state.spec?.mode ?? (state.request.mode === 'smart' ? 'quick_search' : state.request.mode),
    title: state.title,
    engine: 'extractive',
    task_spec: state.spec,
    origins: state.origins,
    plan: state.nodes.map(({ number: _number, payload: _payload, ...node }) => node),
    plan_version: state.plan_version,
    plan_hash: state.plan_hash,
    run_id: state.run === 0 ? null : `run_${suffixOf(state.task_id)}-${state.run}`,
    cancel_generation: String(state.generation),
    event_seq: String(state.event_seq),
    coverage: coverageOf(state),
    gaps: state.gaps,
    cost: state.cost,
    artifacts: state.artifacts,
    problem: state.problem,
    created_time: state.request.created_time,
    ended_time: isTerminal(state.status) ? state.ended_time : null,
  };
}
