import type { WorkEnvelope } from '#contracts/actors/work-item.ts';
import type { RoleOutput } from '#contracts/actors/role.ts';
import type { ActorEvent } from '#contracts/envelope.ts';
import { failure } from '#contracts/errors.ts';
import type { Clarification } from '#contracts/research/clarification.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';
import { FREE_ABILITIES } from '#contracts/research/preflight.ts';
import { DEFAULT_SPEC_SETTINGS } from '#contracts/research/spec-settings.ts';
import { taskActor } from '#actors/task/actor.ts';
import type { TaskNode, TaskState } from '#actors/task/contract.ts';
import { defineModel, type Scenario } from '../actor-model.ts';
import {
  answer,
  candidate,
  compiled,
  HASH,
  proposal,
  QUESTION,
  refused,
  roleOutputs,
  SOURCE,
  TIME,
} from './research-fixtures.ts';

const scenario = (name: string, auto_start: boolean, parent_task_id: string | null = null): Scenario => ({
  name,
  input: {
    task_id: 'tsk_modeltask',
    conversation_id: 'cnv_modelchat',
    turn_id: 'trn_modelturn',
    parent_task_id,
    text: QUESTION,
    mode: 'quick_search',
    auto_start,
    created_time: TIME,
  },
});

const busy = failure('model.rate_limited', 'later', { retry: { kind: 'after', ms: 600_000 } });
const broke = failure('budget.refused', 'the cap is reached');
const running = (state: TaskState): TaskNode[] => state.nodes.filter(({ status }) => status === 'running');
const command = (type: string, fields = {}) => ({ type, operation_id: `opr_${type}`, request_id: type, ...fields });

function endingsOf({ kind }: TaskNode): WorkEnvelope[] {
  const failed: WorkEnvelope = { outcome: 'failed', failure: refused };
  switch (kind) {
    case 'discover':
      return [
        { outcome: 'succeeded', result: { kind, candidates: [candidate], queries: ['tower'] } },
        { outcome: 'no_content', reason: 'nothing found' },
        failed,
      ];
    case 'read': {
      const page = { source_revision_id: SOURCE, final_url: candidate.url, title: 'A', language: 'en' };
      return [
        { outcome: 'succeeded', result: { kind, ...page, page_kind: 'article', characters: 10 } },
        { outcome: 'blocked', reason: 'a login wall' },
      ];
    }
    case 'extract':
      return [
        { outcome: 'succeeded', result: { kind, proposals: [proposal] } },
        { outcome: 'no_content', reason: 'no passage' },
      ];
    case 'verify':
      return [1, 0].map((count) => ({
        outcome: 'succeeded',
        result: {
          kind,
          question_index: 0,
          assertion_ids: count === 0 ? [] : ['asr_assertion'],
          source_revision_ids: count === 0 ? [] : [SOURCE],
          rejected: [],
          conflicts: 0,
        },
      }));
    case 'write':
      return [
        ...([1, 0] as const).map((count): WorkEnvelope => {
          const { markdown, citations } = answer(count);
          return { outcome: 'succeeded', result: { kind, markdown, asserting_sentences: count, citations } };
        }),
        failed,
        { outcome: 'failed', failure: busy },
        { outcome: 'blocked', reason: 'no money', failure: broke },
      ];
  }
}

/** A contract with an open condition, and one without a question that could be planned. */
function open(): RoleOutput {
  const output = compiled('quick_search');
  if (output.role !== 'requirement_compiler') return output;
  return { ...output, clarifications: [clarification] };
}
function mute(): RoleOutput {
  const output = compiled('quick_search');
  if (output.role !== 'requirement_compiler') return output;
  const { scope } = output.task_spec;
  return { ...output, task_spec: { ...output.task_spec, scope: { ...scope, questions: [' '] } } };
}
const clarification: Clarification = {
  clarification_id: 'clr_region',
  pointer: '/scope/region',
  question: 'Where?',
  options: [],
  default: 'anywhere',
  default_label: 'anywhere',
  default_origin: 'template',
};

const surroundings = { engine: EXTRACTIVE, settings: DEFAULT_SPEC_SETTINGS, abilities: FREE_ABILITIES };
const totals = {
  currency: 'USD',
  cap_minor: '100',
  reserved_minor: '1',
  settled_minor: '2',
  unknown_calls: 0,
  held_unknown_minor: '0',
  at_85_percent: false,
};
const probed = { findings: [], missing_sources: [], engine_problem: null };
const inherited = {
  continuation: { task_id: 'tsk_before', gap_fingerprint: HASH, reused: [], refused: [] },
  answers: [{ question: QUESTION, proposals: [proposal] }],
};

function roleAnswers({ status, choosing }: TaskState): ActorEvent[] {
  const outputs = [
    ...(status === 'draft' ? [compiled('quick_search'), compiled('dataset'), open(), mute()] : []),
    ...(choosing ? [roleOutputs.chosen([candidate]), roleOutputs.chosen([])] : []),
    ...(status === 'stopping' ? [roleOutputs.written(1), roleOutputs.written(0)] : []),
  ];
  return outputs.map((output) => ({ type: 'role.finished', role_run_id: 'rol_any', output }));
}

export const taskModel = defineModel<TaskState>({
  definition: taskActor,
  scenarios: [
    scenario('starts by itself', true),
    scenario('waits for a start', false),
    scenario('goes on from another', true, 'tsk_before'),
  ],
  mail: {
    'task.compile': ({ status, history }) =>
      status === 'ready' && history.length < 2
        ? [[{ pointer: '/execution/max_pages', value: 1 }], [{ pointer: '/nothing', value: 1 }], undefined].map(
            (changes) => command('task.compile', changes === undefined ? {} : { changes }),
          )
        : [],
    'task.preflight': ({ status }) =>
      status === 'ready' ? [command('task.preflight'), command('task.preflight', { level: 'authorized_probe' })] : [],
    'task.answer': ({ clarifications }) =>
      clarifications.length > 0
        ? [command('task.answer', { decide_for_me: true }), command('task.answer', { answers: [] })]
        : [],
    'budget.changed': ({ status }) =>
      status === 'queued' || status === 'stopping'
        ? [{ type: 'budget.changed', task_id: 'tsk_modeltask', event_type: 'budget.settled', data: {}, totals }]
        : [],
    'work.waiting': (state) =>
      running(state)
        .filter(({ kind }) => kind === 'discover')
        .map(({ work_item_id }) => ({
          type: 'work.waiting',
          work_item_id,
          attempt: 1,
          retry_time: TIME,
          reason: 'the search is busy',
        })),
    'work.retrying': ({ nodes }) =>
      nodes
        .filter(({ status }) => status === 'retry_wait')
        .map(({ work_item_id }) => ({ type: 'work.retrying', work_item_id, attempt: 2 })),
    'task.start': ({ status }) =>
      status === 'ready'
        ? [HASH, 'b'.repeat(64)].map((plan_hash) => command('task.start', { plan_hash, plan_version: 1 }))
        : [],
    'task.pause': ({ request }) => (request.parent_task_id === null ? [command('task.pause')] : []),
    'task.resume': ({ run }) => (run < 2 ? [command('task.resume')] : []),
    'task.stop': () => [command('task.stop')],
    'task.cancel': () => [command('task.cancel')],
    'role.finished': roleAnswers,
    'role.failed': ({ status, choosing }) =>
      status === 'draft' || status === 'stopping' || choosing
        ? [{ type: 'role.failed', role_run_id: 'rol_any', failure: refused }]
        : [],
    // of the task that waits for its start only the waiting is told apart; the rest would be the same twice
    'work.claimed': (state) =>
      (state.request.auto_start && state.request.parent_task_id === null ? running(state) : []).map(
        ({ work_item_id }) => ({
          type: 'work.claimed',
          work_item_id,
          run_id: 'run_any',
        }),
      ),
    'work.progress': (state) =>
      running(state).map(({ work_item_id }) => ({
        type: 'work.progress',
        work_item_id,
        events: [{ event_type: 'search.started', data: {} }],
      })),
    'work.finished': (state) =>
      running(state).flatMap((node) =>
        endingsOf(node).map((envelope) => ({ type: 'work.finished', work_item_id: node.work_item_id, envelope })),
      ),
    'work.paused': (state) => running(state).map(({ work_item_id }) => ({ type: 'work.paused', work_item_id })),
    'artifact.sealed': ({ artifacts }) =>
      artifacts.map(({ artifact_id }) => ({
        type: 'artifact.sealed',
        artifact_id,
        revision: 1,
        manifest_sha256: HASH,
        files: [{ name: 'report.md', media_type: 'text/markdown', sha256: HASH, bytes: 3 }],
      })),
    'artifact.failed': ({ artifacts }) =>
      artifacts.map(({ artifact_id }) => ({ type: 'artifact.failed', artifact_id, failure: refused })),
    'child.fenced': () => [{ type: 'child.fenced', address: 'work-item/wrk_late' }],
  },
  outputs: {
    surroundings: () => [surroundings as never],
    inheritance: () => [inherited as never],
    freeze: () => [{ plan_hash: HASH, surroundings } as never],
    probe: () => [probed as never],
    recheck: () => [probed as never, { ...probed, missing_sources: [SOURCE] } as never],
    close: () => [{ closed: true }],
  },
  interrupts: ['task.pause', 'task.stop', 'task.cancel', 'task.resume'],
  keyOf: (state) => [
    state.status,
    state.repairs,
    state.clarifications.length,
    state.history.length,
    state.exhausted,
    state.run,
    state.wave,
    state.choosing,
    state.nodes.map(({ kind, status }) => `${kind} ${status}`),
    state.questions.map(({ assertions }) => assertions),
    state.answer?.citations.length ?? null,
    state.artifacts.map(({ status }) => status),
    state.problem?.code ?? null,
  ],
});
