import { isTerminal, type Coverage, type TaskView } from '#contracts/actors/task.ts';
import { suffixOf } from '#contracts/ids.ts';
import { EXTRACTIVE, profileOf } from '#contracts/research/engine.ts';
import { foldText } from '#contracts/text/segment.ts';
import type { TaskState } from './contract.ts';
import { criticalPath } from './critical-path.ts';

export function coverageOf(state: Pick<TaskState, 'questions' | 'spec'>): Coverage {
  const fields = state.spec?.output.fields ?? [];
  const covered = state.questions.filter(({ assertions }) => assertions > 0).map(({ question }) => foldText(question));
  const isNamed = (name: string): boolean => covered.some((question) => question.includes(foldText(name)));
  return {
    questions: state.questions.map(({ question, assertions, sources, independent }) => ({
      question,
      assertions,
      sources,
      independent,
      covered: assertions > 0,
    })),
    ...(fields.length === 0 ? {} : { fields: fields.map(({ name }) => ({ name, covered: isNamed(name) })) }),
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
    engine: (state.engine ?? EXTRACTIVE).kind,
    engine_profile: profileOf(state.engine ?? EXTRACTIVE),
    task_spec: state.spec,
    origins: state.origins,
    plan: state.nodes.map(({ number: _number, payload: _payload, proposals: _proposals, ...node }) => node),
    plan_version: state.plan_version,
    plan_hash: state.plan_hash,
    plan_history: state.history,
    clarifications: state.status === 'draft' ? state.clarifications : [],
    preflight: state.preflight,
    confirmation_reasons: state.reasons,
    critical_path: criticalPath(state.nodes),
    continues: state.continues,
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
