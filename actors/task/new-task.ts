import type { TaskRequest } from '#contracts/actors/task.ts';
import type { TaskSpec } from '#contracts/research/task-spec.ts';
import { detectLanguage } from '#contracts/text/language.ts';
import type { InheritInput, ProbeInput, TaskState } from './contract.ts';

/** What tasks of the first release did not have. */
export const NEW_IN_SECOND = {
  surroundings: null,
  engine: null,
  repairs: 0,
  clarifications: [],
  preflight: null,
  checks: 0,
  history: [],
  reasons: [],
  deadline_time: null,
  asked: [],
  budget: null,
  exhausted: false,
  continues: null,
  pending: null,
} satisfies Partial<TaskState>;

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
    cost: { currency: 'USD', settled_minor: '0', unknown_calls: 0 },
    answer: null,
    problem: null,
    ended_time: null,
    ...NEW_IN_SECOND,
  };
}

/** For a state that a machine cannot reach: freezing without a compiled contract. */
export function unusableSpec(): TaskSpec {
  throw new TypeError('a plan is frozen only after its contract was compiled');
}

export const inheritInput = ({ request, spec }: TaskState): InheritInput => ({
  parent_task_id: request.parent_task_id ?? '',
  questions: spec?.scope.questions ?? [],
});

export const probeInput = ({ engine, language, spec, reads }: TaskState): ProbeInput => ({
  engine,
  language,
  needs_search: (spec?.scope.known_urls.length ?? 0) === 0,
  source_revision_ids: [...new Set(reads.map(({ source_revision_id }) => source_revision_id))],
});
