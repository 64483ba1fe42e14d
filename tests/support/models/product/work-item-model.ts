import { failure } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { RoleOutput } from '#contracts/actors/role.ts';
import type { WorkPayload } from '#contracts/actors/work-item.ts';
import { workItemActor } from '#actors/work-item/actor.ts';
import type { WorkItemState } from '#actors/work-item/contract.ts';
import { defineModel, type Scenario } from '../actor-model.ts';
import { candidate, proposal, QUESTION, refused, roleOutputs, SOURCE, URL_OF_PAGE } from './research-fixtures.ts';

const scenario = (payload: WorkPayload): Scenario => ({
  name: payload.kind,
  input: {
    work_item_id: `wrk_model-${payload.kind}`,
    task_id: 'tsk_modeltask',
    run_id: 'run_model-1',
    reply_to: 'task/tsk_modeltask',
    language: 'en',
    payload,
  },
});

const form = 'short_answer' as const;
const about = { question: QUESTION, question_index: 0 };

/** The right answer of the role that was asked, and one that nobody asked for. */
function outputsFor({ payload, observation }: WorkItemState): RoleOutput[] {
  const odd: RoleOutput = { role: 'analyst', computations: [] };
  switch (payload.kind) {
    case 'discover':
      return [roleOutputs.planned, odd];
    case 'read':
      return [observation === null ? roleOutputs.navigate : roleOutputs.read, roleOutputs.finish, odd];
    case 'extract':
      return [roleOutputs.extracted([proposal]), roleOutputs.extracted([])];
    case 'verify':
      return [roleOutputs.verified];
    case 'write':
      return [roleOutputs.written(1), roleOutputs.written(0)];
  }
}

const page = {
  source_revision_id: SOURCE,
  final_url: URL_OF_PAGE,
  title: 'A',
  language: 'en',
  page_kind: 'article',
  characters: 10,
  blocked: null,
};
const observation = {
  observation_id: 'obs_1',
  document_generation: 'g1',
  final_url: URL_OF_PAGE,
  title: 'A',
  http_status: 200,
  content_type: 'text/html',
};
const response = {
  provider: 'library',
  query: 'tower',
  report: 'found',
  queries: ['tower'],
  sources: [{ url: candidate.url, title: candidate.title }],
  images: [],
};
const lookup = {
  number: 1,
  brief: 'tower height',
  identity: 'tower',
  reason: 'uncertain',
  same_as: null,
  provider: 'library',
  queries: ['tower'],
  response,
  failure: null,
  started_ms: 1,
  ended_ms: 2,
};
const nothingFound = {
  lookups: [
    {
      ...lookup,
      response: null,
      failure: { code: 'search.response_invalid', message: 'no source', retry: { kind: 'never' } },
    },
  ],
};
const overloaded = failure('model.overloaded', 'too many calls', { retry: { kind: 'backoff' } });
const from = (session_id: string) => ({ session_id, action_id: 'act_1' });

export const workItemModel = defineModel<WorkItemState>({
  definition: workItemActor,
  scenarios: [
    scenario({ kind: 'discover', ...about, allowed_domains: [] }),
    scenario({ kind: 'read', url: URL_OF_PAGE, title: 'A' }),
    scenario({ kind: 'extract', ...about, form, source_revision_ids: [SOURCE] }),
    scenario({ kind: 'verify', ...about, proposals: [proposal] }),
    scenario({ kind: 'write', title: 'Tower', questions: [QUESTION], form, gaps: [] }),
  ],
  mail: {
    'work.pause': () => [{ type: 'work.pause' }],
    'role.finished': (state) =>
      outputsFor(state).map((output) => ({ type: 'role.finished', role_run_id: 'rol_any', output })),
    'role.failed': () =>
      [refused, overloaded].map((reason) => ({ type: 'role.failed', role_run_id: 'rol_any', failure: reason })),
    'context.observed': ({ session_id }) =>
      ['ses_other', ...(session_id === null ? [] : [session_id])].map((session) => ({
        type: 'context.observed',
        ...from(session),
        observation,
      })),
    'context.page': ({ session_id }) =>
      session_id === null
        ? []
        : [page, { ...page, blocked: 'a login wall' }, { ...page, characters: 0 }].map((read) => ({
            type: 'context.page',
            ...from(session_id),
            page: read,
          })),
    'context.failed': ({ session_id }) =>
      session_id === null
        ? []
        : [failure('browser.crashed', 'gone'), failure('page.blocked', 'a wall')].map((reason) => ({
            type: 'context.failed',
            ...from(session_id),
            outcome: 'unknown',
            failure: reason,
          })),
  },
  outputs: {
    compare: () =>
      [[], [{ index: 0, proposals: [{ ...proposal, source_revision_id: 'srv_two', quote: '11 m' }] }]].map(
        (contradictions) => ({ families: [{ source_revision_id: SOURCE, family: 0 }], contradictions }) as Json,
      ),
    search: () => [{ responses: [response], started_ms: 1, ended_ms: 2 }, { lookups: [lookup] }, nothingFound],
  },
  failures: [failure('search.unavailable', 'no search today'), failure('search.response_invalid', 'no source')],
  interrupts: ['work.pause'],
  keyOf: (state) => [
    state.attempt,
    state.asked,
    state.observation !== null,
    state.pause_requested,
    state.retries,
    state.envelope?.outcome ?? null,
  ],
});
