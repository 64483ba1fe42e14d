import { ledgerActor } from '#actors/ledger/actor.ts';
import type { LedgerState } from '#actors/ledger/contract.ts';
import { defineModel } from '../actor-model.ts';

const TASK = 'tsk_modeltask';
const of = (reservation_id: string) => ({ task_id: TASK, reservation_id });
const cost = (minor: string, unknown: string[] = []) => ({ currency: 'USD', minor, unknown, price_version: 'v1' });

const opening = (change: object = {}) => ({
  type: 'ledger.open_task',
  task_id: TASK,
  reply_to: `task/${TASK}`,
  currency: 'USD',
  cap_minor: '100',
  unknown_price_policy: 'approved_upper_bound',
  upper_bound_minor: '20',
  write_up_share: 0.15,
  role_caps: { extractor: '90' },
  ...change,
});

const asking = (reservation_id: string, change: object = {}) => ({
  type: 'ledger.reserve',
  ...of(reservation_id),
  role: 'extractor',
  purpose: 'work',
  reply_to: `paid-call/${reservation_id}`,
  what: 'model sonnet',
  currency: 'USD',
  max_minor: '50',
  price_version: 'v1',
  ...change,
});

const CALLS = ['a', 'b'];
/** What only counts is left out; a model with more entries than this would say nothing new. */
const MAX_ENTRIES = 6;

/** One task, two calls: priced and not, settled in full, in part, late, and not at all. */
export const ledgerModel = defineModel<LedgerState>({
  definition: ledgerActor,
  scenarios: [{ name: 'a project', input: {} }],
  mail: {
    'ledger.open_task': ({ entries }) => (entries > 1 ? [] : [opening(), opening({ cap_minor: null })]),
    'ledger.reserve': ({ entries }) =>
      entries > MAX_ENTRIES
        ? []
        : CALLS.flatMap((id) => [asking(id), asking(id, { currency: null, max_minor: null, purpose: 'write_up' })]),
    'ledger.settle': () =>
      CALLS.flatMap((id) =>
        [cost('30'), cost('10', ['output'])].map((paid) => ({ type: 'ledger.settle', ...of(id), cost: paid })),
      ),
    'ledger.record': ({ entries }) =>
      entries > 2
        ? []
        : [cost('3'), cost('0', ['price'])].map((paid) => ({
            type: 'ledger.record',
            task_id: TASK,
            call_id: 's',
            role: 'search',
            what: 'brave',
            cost: paid,
          })),
    'ledger.release': () => CALLS.map((id) => ({ type: 'ledger.release', ...of(id) })),
    'ledger.unknown': () => CALLS.map((id) => ({ type: 'ledger.unknown', ...of(id), why: 'the process ended' })),
    'ledger.adjust': ({ entries }) =>
      entries > MAX_ENTRIES ? [] : [{ type: 'ledger.adjust', ...of('a'), cost: cost('5'), by: 'invoice' }],
    'ledger.close_task': () => [{ type: 'ledger.close_task', task_id: TASK }],
    'ledger.set_project': ({ project_cap }) =>
      project_cap === null
        ? [{ type: 'ledger.set_project', cap: { currency: 'USD', cap_minor: '150' }, by: 'admin' }]
        : [],
  },
  keyOf: ({ accounts, project_cap }) => [
    project_cap !== null,
    accounts.map(({ open, exhausted, holds, settled }) => [
      open,
      exhausted,
      holds.flatMap(({ reservation_id, unknown }) =>
        CALLS.includes(reservation_id) ? [[reservation_id, unknown]] : [],
      ),
      Object.keys(settled).filter((id) => CALLS.includes(id)),
    ]),
  ],
});
