import type { TaskRequest } from '#contracts/actors/task.ts';
import { failure, type Failure } from '#contracts/errors.ts';
import type { TaskSpec } from '#contracts/research/task-spec.ts';
import { detectLanguage } from '#contracts/text/language.ts';
import type { TaskState } from './contract.ts';

export function newTask(input: TaskRequest): TaskState {
  return {
    task_id: input.task_id,
    request: input,
    language: detectLanguage(input.text) === 'zh-CN' ? 'zh-CN' : 'en',
    status: 'draft',
    title: [...input.text.replace(/\s+/gu, ' ').trim()].slice(0, 80).join(''),
    spec: null,
    origins: null,
    plan_version: 0,
    plan_hash: null,
    run: 0,
    generation: 0,
    event_seq: 0,
    nodes: [],
    wave: 0,
    choosing: false,
    questions: [],
    chosen_urls: [],
    reads: [],
    gaps: [],
    artifacts: [],
    // No model and no paid provider exists in this version, so nothing can cost anything.
    cost: { currency: 'USD', settled_minor: '0', unknown_calls: 0 },
    answer: null,
    problem: null,
    ended_time: null,
  };
}

/** `static_only`: what can be told without touching the world (TS-05). */
export function isOffered(state: TaskState): boolean {
  return state.spec?.mode === 'quick_search' || state.spec?.mode === 'research';
}

export function modeProblem(state: TaskState): Failure {
  return failure('mode.not_available', `the mode ${state.spec?.mode ?? 'unknown'} is not available in this version`);
}

/** For a state that a machine cannot reach: freezing without a compiled contract. */
export function unusableSpec(): TaskSpec {
  throw new TypeError('a plan is frozen only after its contract was compiled');
}
