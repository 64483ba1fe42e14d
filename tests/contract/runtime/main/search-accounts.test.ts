import { expect, it } from 'vitest';
import type { ActorMessage } from '#contracts/ports/actor-client.ts';
import type { SearchUsage } from '#contracts/research/search.ts';
import { createSearchAccounts } from '#runtime/main/search-accounts.ts';
import { listeningLogger } from '#tests/support/fakes/vendors/model-harness.ts';

const usage = (change: Partial<SearchUsage> = {}): SearchUsage => ({
  project: 'default',
  task_id: 'tsk_search00',
  call_id: 'call-1',
  provider: 'brave',
  model: null,
  outcome: 'answered',
  duration_ms: 1,
  billing: 'metered',
  amounts: null,
  cost: { currency: 'USD', micros: 5000, price_version: 'brave/2026-05' },
  ...change,
});

/** Sends are promises that nobody waits for. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

it('[WS-07] what a search used goes to the ledger of its project under its own id, and what cost nothing does not', async () => {
  const sent: ActorMessage[] = [];
  const accounts = createSearchAccounts(listeningLogger());
  accounts.attach({ send: (message) => Promise.resolve(void sent.push(message)) });
  accounts.book(usage());
  accounts.book(usage({ call_id: 'call-2', billing: 'none', cost: null }));
  const { task_id: _task, ...ofNoTask } = usage({ call_id: 'call-3' });
  accounts.book(ofNoTask);
  accounts.book(usage({ call_id: 'call-4', billing: 'unknown', cost: null, model: 'gpt-5-mini' }));
  await settled();
  const records = sent.filter(({ event }) => event.type === 'ledger.record');
  expect(records.map(({ messageId, to }) => [messageId, to])).toEqual([
    ['search:call-1', 'ledger/main'],
    ['search:call-4', 'ledger/main'],
  ]);
  expect(records[0]?.event).toMatchObject({
    task_id: 'tsk_search00',
    cost: { minor: '0.5', unknown: [] },
    what: 'brave',
  });
  expect(records[1]?.event).toMatchObject({ cost: { currency: null, unknown: ['price'] }, what: 'brave/gpt-5-mini' });
  expect(sent[0]).toMatchObject({ create: { input: {} } });
});

it('[WS-08] a ledger that does not answer, or is not there yet, is a line in the log and harms no search', async () => {
  const logger = listeningLogger();
  const accounts = createSearchAccounts(logger);
  expect(() => accounts.book(usage())).not.toThrow();
  accounts.attach({ send: () => Promise.reject(new TypeError('the store is away')) });
  expect(() => accounts.book(usage({ call_id: 'call-2' }))).not.toThrow();
  await settled();
  expect(logger.lines.map((line) => line.split(' {')[0])).toEqual([
    'the cost of a search could not be booked',
    'the cost of a search could not be booked',
  ]);
});
