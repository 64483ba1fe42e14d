import { limiterActor } from '#actors/limiter/actor.ts';
import type { LimiterState } from '#actors/limiter/contract.ts';
import { paidCallActor } from '#actors/paid-call/actor.ts';
import type { PaidCallState } from '#actors/paid-call/contract.ts';
import type { PaidCallInput } from '#contracts/actors/paid-call.ts';
import { failure } from '#contracts/errors.ts';
import { defineModel, type Scenario } from '../actor-model.ts';

const LIMITS = { in_flight: 1, per_minute: 2, tokens_per_minute: null, wait_ms: 30_000 };

const asking = (permit_id: string, party: string) => ({
  type: 'permit.ask',
  permit_id,
  party,
  reply_to: `paid-call/${permit_id}`,
  hold_ms: 20_000,
});

/** Two parties with two asks each for one place, and a rate of two a minute. */
export const limiterModel = defineModel<LimiterState>({
  definition: limiterActor,
  scenarios: [{ name: 'a model', input: { resource: 'model.far', ...LIMITS } }],
  mail: {
    'permit.ask': ({ granted, queue }) =>
      granted.length + queue.length > 3 ? [] : [asking('a', 'one'), asking('b', 'one'), asking('c', 'two')],
    'permit.return': () => ['a', 'b', 'c'].map((permit_id) => ({ type: 'permit.return', permit_id })),
  },
  keyOf: ({ permits, queue, granted }) => [
    permits.map(({ permit_id }) => permit_id),
    queue.map(({ permit_id }) => permit_id),
    granted.length,
  ],
});

const cost = { currency: 'USD', minor: '10', unknown: [], price_version: 'v1' };
const usage = {
  input_tokens: 5000,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 500,
  reasoning_tokens: 0,
};
const result = {
  text: 'an answer',
  structured: null,
  tool_calls: [],
  content: [{ kind: 'text' as const, text: 'an answer' }],
  stop_reason: 'end' as const,
  usage,
  reasoning: null,
  request_id: null,
  model: null,
};
const unanswered = { code: 'model.unavailable', message: 'cut off', retry: { kind: 'never' } };

const input = (paid_call_id: string, change: Partial<PaidCallInput> = {}): PaidCallInput => ({
  paid_call_id,
  task_id: 'tsk_modeltask',
  role: 'extractor',
  purpose: 'work',
  reply_to: 'role-run/rol_model',
  fence: { scope: 'task:tsk_modeltask', generation: 1 },
  limiter: { resource: 'model.far', limits: LIMITS, party: 'tsk_modeltask', wait_ms: 30_000 },
  reserve: { what: 'model far', currency: 'USD', max_minor: '100', price_version: 'v1' },
  call: {
    kind: 'model',
    profile: 'far',
    profile_version: '1',
    request: {
      messages: [{ role: 'user', content: [{ kind: 'text', text: 'How high?' }] }],
      tools: [],
      tool_choice: 'auto',
      output: null,
      reasoning: 'off',
      max_output_tokens: 100,
      idempotency_key: 'rol_model:1',
    },
    timeout_ms: 30_000,
  },
  ...change,
});

const searching = {
  kind: 'search' as const,
  request: { brief: 'towers' },
  reason: 'fresh' as const,
  timeout_ms: 30_000,
};
const scenarios: Scenario[] = [
  { name: 'a model call', input: input('a') },
  { name: 'a free search', input: input('b', { limiter: null, reserve: null, call: searching }) },
  { name: 'a paid search', input: input('c', { limiter: null, call: searching }) },
];

const named = ({ paid_call_id }: PaidCallState) => ({ permit_id: paid_call_id, reservation_id: paid_call_id });

export const paidCallModel = defineModel<PaidCallState>({
  definition: paidCallActor,
  scenarios,
  mail: {
    'permit.granted': (state) => [
      { type: 'permit.granted', ...named(state), expires_time: '2026-01-01T00:10:00.000Z' },
    ],
    'permit.refused': (state) => [{ type: 'permit.refused', ...named(state), reason: 'deadline' }],
    'budget.granted': (state) => [{ type: 'budget.granted', ...named(state), held_minor: '100', currency: 'USD' }],
    'budget.refused': (state) => [{ type: 'budget.refused', ...named(state), reason: 'cap', message: 'no money' }],
    'paid.cancel': () => [{ type: 'paid.cancel' }],
  },
  outputs: {
    call: () => [
      { ended: 'answered', result: { kind: 'model', result }, cost, usage },
      { ended: 'failed', failure: unanswered, cost: { ...cost, unknown: ['output'] }, usage },
      { ended: 'failed', failure: unanswered, cost: null, usage: null },
    ],
    abort: () => [{ aborted: true }],
  },
  failures: [failure('effect.unknown', 'sent before a crash'), failure('effect.aborted', 'it was not sent')],
  interrupts: ['paid.cancel'],
  keyOf: ({ cancelled }) => [cancelled],
});
