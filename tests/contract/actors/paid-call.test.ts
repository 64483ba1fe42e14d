import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerActor } from '#actors/ledger/actor.ts';
import { limiterActor } from '#actors/limiter/actor.ts';
import { paidCallActor } from '#actors/paid-call/actor.ts';
import type { BudgetTotals } from '#contracts/actors/ledger.ts';
import type { PaidCallInput } from '#contracts/actors/paid-call.ts';
import { failure, PlatformError } from '#contracts/errors.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { SearchUsage } from '#contracts/research/search.ts';
import { domainTables } from '#persistence/domain-tables.ts';
import { createRunningCalls } from '#runtime/main/running-calls.ts';
import { askerActor } from '#tests/support/fakes/asker-actor.ts';
import { ModelFarEnd, usageOf } from '#tests/support/fakes/model-far-end.ts';
import { createHarness, type Harness } from '#tests/support/harness/harness.ts';
import { requestOf } from '#tests/support/fakes/vendors/model-harness.ts';

const TASK = 'tsk_paidtask';
const LIMITS = { in_flight: 2, per_minute: null, tokens_per_minute: null, wait_ms: 60_000 };

let far: ModelFarEnd;
let harness: Harness;
let search: SearchPort;

beforeEach(async () => {
  far = new ModelFarEnd();
  search = { provider: 'far', search: () => Promise.reject(new TypeError('nobody searches here')) };
  harness = createHarness({
    actors: [askerActor, ledgerActor, limiterActor, paidCallActor],
    ports: {
      models: far,
      search: { provider: 'far', search: (...args: Parameters<SearchPort['search']>) => search.search(...args) },
      calls: createRunningCalls(),
      fences: { readFence: (scope: string) => harness.store.readFence(scope) },
    },
    limits: { checks: true },
    policyOf: (table) => domainTables.get(table)!,
  });
  await harness.start();
  await harness.create('asker/one', {});
  await order({ type: 'asker.fence', scope: `task:${TASK}`, generation: 1, open: true });
  await harness.create('ledger/main', {});
  await toLedger({
    type: 'ledger.open_task',
    reply_to: 'asker/one',
    currency: 'USD',
    cap_minor: '1000',
    unknown_price_policy: 'block',
    upper_bound_minor: null,
  });
});

afterEach(() => harness.stop());

const order = (event: { type: string; [field: string]: unknown }) => harness.send({ to: 'asker/one', event });
const toLedger = (event: { type: string; [field: string]: unknown }) =>
  harness.send({ to: 'ledger/main', event: { task_id: TASK, ...event } });

const inputOf = (id: string, change: Partial<PaidCallInput> = {}): PaidCallInput => ({
  paid_call_id: id,
  task_id: TASK,
  role: 'extractor',
  purpose: 'work',
  reply_to: 'asker/one',
  fence: { scope: `task:${TASK}`, generation: 1 },
  limiter: { resource: 'model.far', limits: LIMITS, party: TASK, wait_ms: 60_000 },
  reserve: { what: 'model far', currency: 'USD', max_minor: '100', price_version: 'far-prices' },
  call: { kind: 'model', profile: 'far', profile_version: '1', request: requestOf(), timeout_ms: 30_000 },
  ...change,
});

const call = (id: string, change: Partial<PaidCallInput> = {}) =>
  order({ type: 'asker.call', id, input: inputOf(id, change) });

async function reports() {
  const view = (await harness.host().client.view('p', 'asker/one')) as unknown as {
    view: { reports: { type: string; paid_call_id?: string; [field: string]: unknown }[] };
  };
  return view.view.reports.filter(({ type }) => type.startsWith('paid.'));
}

async function totals(): Promise<BudgetTotals> {
  const view = await harness.host().client.view('p', 'ledger/main');
  return (view!.view as unknown as { accounts: BudgetTotals[] }).accounts[0]!;
}

async function held(): Promise<number> {
  const view = await harness.host().client.view('p', 'limiter/model_far');
  return (view!.view as unknown as { held: number }).held;
}

const mailTo = (address: string) =>
  harness
    .outbox()
    .filter(({ to }) => to === address)
    .map(({ event }) => event.type);

describe('a paid call', () => {
  it('[PC1] first a turn, then the money, then the call, then the account, then the answer', async () => {
    far.hold();
    await call('c1');
    expect(far.sent).toHaveLength(1);
    expect(await totals()).toMatchObject({ reserved_minor: '100', settled_minor: '0' });
    expect(await held()).toBe(1);
    far.release();
    await harness.runUntilIdle();
    expect(await totals()).toMatchObject({ reserved_minor: '0', settled_minor: '10', unknown_calls: 0 });
    expect(await reports()).toMatchObject([
      { type: 'paid.finished', paid_call_id: 'c1', cost: { minor: '10' }, result: { kind: 'model' } },
    ]);
    expect(mailTo('limiter/model_far').filter((type) => type.startsWith('permit.'))).toEqual([
      'permit.ask',
      'permit.return',
    ]);
    expect(harness.status('paid-call/c1')).toBe('done');
  });

  it('[PC1] without money nothing is sent, and the permit goes back', async () => {
    await call('c1', { reserve: { what: 'model far', currency: 'USD', max_minor: '2000', price_version: 'v' } });
    await call('c2', { reserve: { what: 'model far', currency: null, max_minor: null, price_version: null } });
    expect(far.sent).toHaveLength(0);
    expect(await reports()).toMatchObject([
      { type: 'paid.refused', reason: 'cap' },
      { type: 'paid.refused', reason: 'unknown_price' },
    ]);
    expect(await held()).toBe(0);
  });

  it('[BU-02] more calls than turns wait in line, and one that waited too long is refused', async () => {
    far.hold();
    for (const id of ['c1', 'c2', 'c3']) await call(id);
    expect(far.sent).toHaveLength(2);
    await harness.advance(61_000);
    expect(await reports()).toMatchObject([{ type: 'paid.refused', paid_call_id: 'c3', reason: 'deadline' }]);
    far.release();
    await harness.runUntilIdle();
    expect(await held()).toBe(0);
    expect(await totals()).toMatchObject({ reserved_minor: '0', settled_minor: '20' });
  });

  it('[PC3] a call that failed is settled with what it used, and what it did not tell stays held', async () => {
    far.next(
      { failure: failure('model.response_invalid', 'not JSON'), usage: usageOf(1000, 100) },
      { failure: failure('model.unavailable', 'cut off'), usage: usageOf(1000, null) },
    );
    await call('c1');
    await call('c2');
    expect(await reports()).toMatchObject([
      { type: 'paid.failed', cost: { minor: '2', unknown: [] }, failure: { code: 'model.response_invalid' } },
      { type: 'paid.failed', cost: { minor: '1', unknown: ['output'] }, failure: { code: 'model.unavailable' } },
    ]);
    expect(await totals()).toMatchObject({ settled_minor: '3', unknown_calls: 1, held_unknown_minor: '99' });
  });

  it('[PC2] nothing is sent a second time, whatever it ended with', async () => {
    far.next({ failure: failure('model.overloaded', 'later', { retry: { kind: 'backoff' } }), dispatch: 'rejected' });
    await call('c1');
    await harness.advance(600_000);
    expect(far.sent).toHaveLength(1);
    expect(await reports()).toMatchObject([{ type: 'paid.failed', cost: null }]);
    expect(await totals()).toMatchObject({ reserved_minor: '0', settled_minor: '0', unknown_calls: 0 });
  });

  it('[PC4] after a crash in the middle of a call the hold stays and nothing is sent again (TK-06)', async () => {
    far.hold();
    await call('c1');
    harness.kill(0);
    far.release();
    await harness.restart(0);
    await harness.advance(120_000);
    expect(far.sent).toHaveLength(1);
    expect(await reports()).toMatchObject([{ type: 'paid.failed', failure: { code: 'effect.unknown' } }]);
    expect(await totals()).toMatchObject({ unknown_calls: 1, held_unknown_minor: '100', settled_minor: '0' });
    expect(await held()).toBe(0);
  });

  it('[PC4] a profile of another version is not called, and the money is let go', async () => {
    far.profile = { ...far.profile, version: '2' };
    await call('c1');
    expect(far.sent).toHaveLength(0);
    expect(await reports()).toMatchObject([
      { type: 'paid.failed', cost: null, failure: { code: 'model.not_configured' } },
    ]);
    expect(await totals()).toMatchObject({ reserved_minor: '0', settled_minor: '0' });
  });

  it('[PC5] the end of the account aborts what is in flight, and what it used is settled (TK-05)', async () => {
    far.hold();
    await call('c1');
    await toLedger({ type: 'ledger.close_task' });
    await harness.runUntilIdle();
    expect(await reports()).toMatchObject([
      { type: 'paid.failed', failure: { code: 'model.aborted' }, cost: { minor: '5', unknown: ['output'] } },
    ]);
    expect(await totals()).toMatchObject({ settled_minor: '5', unknown_calls: 1, held_unknown_minor: '95' });
    await call('c2');
    expect((await reports()).at(-1)).toMatchObject({ type: 'paid.refused', reason: 'stopped' });
    expect(far.sent).toHaveLength(1);
  });

  it('[PC5] with the fence moved nothing is sent, although the money was reserved before', async () => {
    await order({ type: 'asker.fence', scope: `task:${TASK}`, generation: 2, open: false });
    await call('c1');
    expect(far.sent).toHaveLength(0);
    expect(await totals()).toMatchObject({ reserved_minor: '0', settled_minor: '0' });
    expect(await reports()).toMatchObject([{ type: 'paid.failed', cost: null, failure: { code: 'effect.aborted' } }]);
  });

  it('[PC6] a call that is cancelled while it waits takes its ask out of the line', async () => {
    far.hold();
    for (const id of ['c1', 'c2', 'c3']) await call(id);
    await order({ type: 'asker.tell', to: 'paid-call/c3', event: { type: 'paid.cancel' } });
    expect(await reports()).toMatchObject([{ type: 'paid.refused', paid_call_id: 'c3', reason: 'cancelled' }]);
    far.release();
    await harness.runUntilIdle();
    expect((await reports()).map(({ paid_call_id }) => paid_call_id).sort()).toEqual(['c1', 'c2', 'c3']);
    expect(far.sent).toHaveLength(2);
  });
});

describe('a paid search', () => {
  const usage = (change: Partial<SearchUsage>): SearchUsage => ({
    project: 'p',
    call_id: 'x',
    provider: 'far',
    model: null,
    outcome: 'answered',
    duration_ms: 1,
    billing: 'metered',
    amounts: null,
    cost: { currency: 'USD', micros: 12_345, price_version: 'far/1' },
    ...change,
  });
  const searching = (id: string) =>
    call(id, {
      call: { kind: 'search', request: { brief: 'towers' }, reason: 'fresh', timeout_ms: 60_000 },
      limiter: null,
    });
  const response = {
    provider: 'far',
    query: 'towers',
    report: 'r',
    queries: [],
    sources: [{ url: 'http://t.test/', title: 'T' }],
    images: [],
  };

  it('[WS-07] is settled in the smallest unit, also when the answer was of no use', async () => {
    search = {
      provider: 'far',
      search: (_request, one) => {
        one.onEvent?.({ type: 'query', call_id: 'x', query: 'tower height' });
        one.onUsage?.(usage({}));
        return Promise.resolve(response as never);
      },
    };
    await searching('c1');
    search = {
      provider: 'far',
      search: (_request, one) => {
        one.onUsage?.(usage({ billing: 'unknown', outcome: 'failed' }));
        return Promise.reject(new PlatformError(failure('search.response_invalid', 'no source')));
      },
    };
    await searching('c2');
    expect(await reports()).toMatchObject([
      { type: 'paid.finished', cost: { minor: '1.2345', unknown: [] }, result: { queries: ['tower height'] } },
      {
        type: 'paid.failed',
        cost: { minor: '1.2345', unknown: ['output'] },
        failure: { code: 'search.response_invalid' },
      },
    ]);
    expect(await totals()).toMatchObject({ settled_minor: '2.469', unknown_calls: 1 });
  });

  it('[PC3] one that cost nothing, and one that ended in a defect, are told apart from unknown', async () => {
    search = {
      provider: 'far',
      search: (_request, one) => {
        one.onUsage?.(usage({ billing: 'none', cost: null }));
        return Promise.resolve(response as never);
      },
    };
    await searching('c1');
    search = {
      provider: 'far',
      search: (_request, one) => {
        one.onUsage?.(usage({ cost: null }));
        return Promise.reject(new TypeError('sk-secret'));
      },
    };
    await searching('c2');
    const all = await reports();
    expect(all).toMatchObject([
      { type: 'paid.finished', cost: null },
      { type: 'paid.failed', cost: { currency: null, unknown: ['price'] }, failure: { code: 'effect.failed' } },
    ]);
    expect(JSON.stringify(all)).not.toContain('sk-secret');
    expect(await totals()).toMatchObject({ settled_minor: '0', unknown_calls: 1, held_unknown_minor: '100' });
  });
});
