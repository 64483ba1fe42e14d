import { roleRunActor } from '#actors/roles/role-actor.ts';
import type { RoleRunContext } from '#actors/roles/role-contract.ts';
import { failure } from '#contracts/errors.ts';
import { defineModel } from '../actor-model.ts';
import { QUESTION, roleOutputs } from './research-fixtures.ts';

const ENGINE = {
  kind: 'model',
  profile: 'sample',
  profile_version: '1',
  prompts_version: 'p1',
  price_version: null,
} as const;
const VERSIONS = {
  contract: 'role-task/1',
  prompt: 'search_planner/1.1',
  model_profile: 'sample/1',
  tool_policy: 'search_planner/1',
  output_schema: 'model-answer/search_planner/1',
};
const PACK = { window_tokens: 8000, room_tokens: 5000, shown: [], left_out: [] };
const ORDER = {
  profile: 'sample',
  profile_version: '1',
  request: {
    messages: [{ role: 'user', content: [{ kind: 'text', text: QUESTION }] }],
    tools: [],
    tool_choice: 'auto',
    output: null,
    reasoning: 'off',
    max_output_tokens: 100,
    idempotency_key: 'rol_model:1',
  },
  timeout_ms: 60_000,
  limits: { in_flight: 1, per_minute: null, tokens_per_minute: null, wait_ms: 1000 },
  reserve: { what: 'sample', currency: null, max_minor: null, price_version: null },
  fence: { scope: 'task:tsk_modeltask', generation: 1 },
};
const RESULT = {
  text: '{}',
  structured: { briefs: ['tower height'] },
  tool_calls: [],
  content: [],
  stop_reason: 'end',
  usage: {
    input_tokens: 1,
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 1,
    reasoning_tokens: 0,
  },
  reasoning: null,
  request_id: null,
  model: null,
};
const SEARCHED = {
  provider: 'x',
  query: 'y',
  report: 'z',
  queries: ['y'],
  sources: [{ url: 'https://a.example/', title: 'A' }],
  images: [],
};
const NOTE = { what: 'tower height', reason: 'the same search twice' };

const ended = ({ calls }: RoleRunContext) => ({ paid_call_id: `pay_model-${calls}`, cost: null, usage: null });
const made = { engine: ENGINE, versions: VERSIONS };

/** One role stands for all: what differs between them is in no state. */
export const roleRunModel = defineModel<RoleRunContext>({
  definition: roleRunActor,
  scenarios: [
    {
      name: 'search planner',
      input: {
        role_run_id: 'rol_model',
        task_id: 'tsk_modeltask',
        reply_to: 'work-item/wrk_model',
        language: 'en',
        ask: { role: 'search_planner', question: QUESTION, allowed_domains: [] },
      },
    },
  ],
  mail: {
    'paid.finished': (run) => [
      { type: 'paid.finished', ...ended(run), result: { kind: 'model', result: RESULT } },
      { type: 'paid.finished', ...ended(run), paid_call_id: 'pay_other-1', result: { kind: 'model', result: RESULT } },
      {
        type: 'paid.finished',
        ...ended(run),
        result: {
          kind: 'search',
          response: SEARCHED,
          queries: [],
        },
      },
    ],
    'paid.failed': (run) => [
      { type: 'paid.failed', ...ended(run), failure: failure('model.response_invalid', 'no whole JSON') },
      {
        type: 'paid.failed',
        ...ended(run),
        failure: failure('model.overloaded', 'busy', { retry: { kind: 'backoff' } }),
      },
      { type: 'paid.failed', ...ended(run), paid_call_id: 'pay_other-1', failure: failure('model.refused', 'no') },
    ],
    'paid.refused': (run) => [
      { type: 'paid.refused', paid_call_id: ended(run).paid_call_id, reason: 'cap', message: 'nothing left' },
      { type: 'paid.refused', paid_call_id: ended(run).paid_call_id, reason: 'deadline', message: 'too long' },
      { type: 'paid.refused', paid_call_id: 'pay_other-1', reason: 'cap', message: 'nothing left' },
    ],
  },
  outputs: {
    preparation: () => [
      { kind: 'proposed', engine: { kind: 'extractive' }, versions: VERSIONS, output: roleOutputs.planned },
      { kind: 'call', ...made, order: ORDER, pack: PACK } as never,
    ],
    check: ({ calls }) => [
      { kind: 'accepted', output: roleOutputs.planned, notes: [NOTE] },
      ...(calls < 3 ? [{ kind: 'repair', order: ORDER, pack: PACK, notes: [] } as never] : []),
    ],
  },
  keyOf: ({ calls, answer, engine }) => [calls, answer === null, engine?.kind ?? null],
});
