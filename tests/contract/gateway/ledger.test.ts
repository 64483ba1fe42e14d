import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerActor } from '#actors/ledger/actor.ts';
import { LEDGER_ADDRESS } from '#contracts/actors/ledger.ts';
import { CREATE_ONLY } from '#contracts/envelope.ts';
import type { LedgerDetail } from '#contracts/http/ledger.ts';
import { createMemoryActorStore } from '#persistence/memory/actor-store.ts';
import { createMemoryDomainRows } from '#persistence/memory/domain-rows.ts';
import { domainTables } from '#persistence/domain-tables.ts';
import { createReadModels } from '#persistence/read-models/read-models.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import { startGateway, type GatewayHarness } from '#tests/support/fakes/gateway-harness.ts';

const PATH = '/api/v1/ledger';
const TASK = 'tsk_ledgertask';

describe('the ledger over HTTP', () => {
  let actors: ActorHost;
  let host: GatewayHarness;

  beforeEach(async () => {
    const store = createMemoryActorStore({
      nowMs: () => systemClock.nowMs(),
      policyOf: (table) => domainTables.get(table)!,
    });
    actors = createActorHost({
      workerId: 'worker-1',
      store,
      bus: createMemoryBus(),
      definitions: [ledgerActor],
      ports: {},
      clock: systemClock,
      randomness: systemRandomness,
    });
    await actors.start();
    const reads = createReadModels(createMemoryDomainRows(store.tables.domain));
    const tasks = {
      ...reads.tasks,
      find: async (_project: string, id: string) => (id === TASK ? ({} as never) : null),
    };
    host = await startGateway({ client: actors.client, reads: { ...reads, tasks } });
  });
  afterEach(async () => {
    await host.close();
    await actors.stop();
  });

  let messages = 0;
  const tell = (event: { type: string; [field: string]: unknown }, create?: { input: object }) =>
    actors.client.ask(
      {
        project: 'default',
        to: LEDGER_ADDRESS,
        from: 'http',
        messageId: `test:${(messages += 1)}`,
        event: { task_id: TASK, ...event },
        ...(create === undefined ? {} : { create: create as never }),
      },
      5_000,
    );

  async function spend(): Promise<void> {
    await tell({ type: CREATE_ONLY }, { input: {} });
    const limits = { cap_minor: '500', unknown_price_policy: 'block', upper_bound_minor: null };
    await tell({ type: 'ledger.open_task', reply_to: 'task/x', currency: 'USD', ...limits });
    await tell({ type: 'ledger.open_task', task_id: 'tsk_second', reply_to: 'task/y', currency: 'EUR', ...limits });
    const ask = { role: 'extractor', purpose: 'work', reply_to: 'paid-call/a', what: 'model far', price_version: 'v1' };
    for (const id of ['a', 'b'])
      await tell({ type: 'ledger.reserve', reservation_id: id, currency: 'USD', max_minor: '100', ...ask });
    await tell({
      type: 'ledger.reserve',
      task_id: 'tsk_second',
      reservation_id: 'c',
      currency: 'EUR',
      max_minor: '7',
      ...ask,
    });
    const cost = { currency: 'USD', minor: '12.5', unknown: [], price_version: 'v1' };
    await tell({ type: 'ledger.settle', reservation_id: 'a', cost });
    await tell({ type: 'ledger.unknown', reservation_id: 'b', why: 'the process ended' });
  }

  it('[BU-01] a task shows its totals and every entry in order, the project its sums by currency', async () => {
    await spend();
    const { status, body } = await host.call<LedgerDetail>(`${PATH}?task_id=${TASK}`);
    expect(status).toBe(200);
    expect(body.accounts).toMatchObject([
      {
        task_id: TASK,
        settled_minor: '12.5',
        unknown_calls: 1,
        held_unknown_minor: '100',
        cap_minor: '500',
        open: true,
      },
    ]);
    expect(body.entries.map(({ kind, minor }) => [kind, minor])).toEqual([
      ['opened', '500'],
      ['reserved', '100'],
      ['reserved', '100'],
      ['settled', '12.5'],
      ['unknown', '0'],
    ]);
    const all = (await host.call<LedgerDetail>(PATH)).body;
    expect(all.totals).toEqual([
      { currency: 'EUR', settled_minor: '0', reserved_minor: '7', held_unknown_minor: '0', unknown_calls: 0 },
      { currency: 'USD', settled_minor: '12.5', reserved_minor: '0', held_unknown_minor: '100', unknown_calls: 1 },
    ]);
    expect(all.entries[0]?.kind).toBe('unknown');
    expect(all.entries).toHaveLength(7);
  });

  it('[AP-01] another project sees no money, an unknown task is not found, a task without an account costs nothing', async () => {
    await spend();
    const other = await host.call<LedgerDetail>(PATH, { headers: { 'X-Project-ID': 'other' } });
    expect(other.body).toEqual({ project_cap: null, totals: [], accounts: [], entries: [] });
    expect((await host.call(`${PATH}?task_id=tsk_nobody00`)).status).toBe(404);
    expect((await host.call(`${PATH}?colour=red`)).status).toBe(400);
    expect((await host.call(PATH, { as: 'stranger' })).status).toBe(401);
  });

  it('[BU-01] the limit of the project is set once for a request and counts for what comes', async () => {
    const set = (request_id: string, cap: object | null) =>
      host.call<LedgerDetail>(PATH, { method: 'PATCH', body: { request_id, cap } });
    const cap = { currency: 'USD', cap_minor: '150' };
    expect((await set('request-0001', cap)).body.project_cap).toEqual(cap);
    expect((await set('request-0001', cap)).body.entries).toHaveLength(1);
    expect((await set('request-0001', null)).status).toBe(409);
    await spend();
    const { body } = await host.call<LedgerDetail>(`${PATH}?task_id=${TASK}`);
    expect(body.entries.map(({ kind }) => kind)).toContain('refused');
    expect(body.entries.find(({ kind }) => kind === 'refused')?.note).toContain('project_cap');
    expect((await set('request-0002', null)).body.project_cap).toBeNull();
    expect((await set('request-0003', { currency: 'usd', cap_minor: '1' })).status).toBe(400);
  });
});
