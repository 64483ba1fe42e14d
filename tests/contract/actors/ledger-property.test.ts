import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerMail } from '#contracts/actors/ledger.ts';
import { addMinor, compareMinor, minMinor } from '#contracts/research/minor.ts';
import { cost, LedgerDesk, TASK } from '#tests/support/fakes/ledger-desk.ts';

const TASKS = [TASK, 'tsk_second', 'tsk_third'];
const ROLES = ['extractor', 'analyst', 'report_writer', 'search_planner'];
const CAPS = { task: '100', role: '40', project: '220' };
const RUNS = 60;

/** Many calls of parallel roles, each with its own way through the ledger, in any order and said any number of times. */
const call = fc.record({
  task: fc.constantFrom(...TASKS),
  role: fc.constantFrom(...ROLES),
  purpose: fc.constantFrom('work' as const, 'work' as const, 'write_up' as const),
  max: fc.oneof(fc.nat({ max: 60 }).map(String), fc.constantFrom('0.000001', '33.3333333', null)),
  share: fc.nat({ max: 100 }),
});
const said = fc.record({
  call: fc.nat({ max: 39 }),
  what: fc.constantFrom('reserve', 'reserve', 'settle', 'part', 'release', 'unknown', 'adjust', 'close', 'reopen'),
});
type Call = { task: string; role: string; purpose: 'work' | 'write_up'; max: string | null; share: number };

function openAll(desk: LedgerDesk): void {
  for (const task_id of TASKS) reopen(desk, task_id);
  desk.post({ type: 'ledger.set_project', cap: { currency: 'USD', cap_minor: CAPS.project }, by: 'admin' });
}

function reopen(desk: LedgerDesk, task_id: string): void {
  desk.open({
    task_id,
    cap_minor: CAPS.task,
    role_caps: { extractor: CAPS.role },
    unknown_price_policy: 'approved_upper_bound',
    upper_bound_minor: '7.5',
  });
}

/** Part of what was held: no call costs more than was set aside for it. */
function priceOf({ max, share }: Call): string {
  const tenths = String(Math.floor(share / 10));
  return max === null ? minMinor('7.5', tenths) : minMinor(max, tenths);
}

function say(desk: LedgerDesk, id: string, one: Call, what: string): void {
  const of = { task_id: one.task, reservation_id: id };
  const { role, purpose, max } = one;
  if (what === 'reserve') return void desk.reserve(id, max, { task_id: one.task, role, purpose });
  if (what === 'reopen') return reopen(desk, one.task);
  const mail: Record<string, LedgerMail> = {
    settle: { type: 'ledger.settle', ...of, cost: cost(priceOf(one)) },
    part: { type: 'ledger.settle', ...of, cost: cost(priceOf(one), ['output']) },
    release: { type: 'ledger.release', ...of },
    unknown: { type: 'ledger.unknown', ...of, why: 'the process ended' },
    adjust: { type: 'ledger.adjust', ...of, cost: cost(priceOf(one)), by: 'invoice' },
    close: { type: 'ledger.close_task', task_id: one.task },
  };
  desk.post(mail[what]!);
}

function committedByRole(desk: LedgerDesk, task: string, role: string): string {
  const { by_role, holds } = desk.account(task);
  return addMinor(
    by_role[role] ?? '0',
    ...holds.filter((hold) => hold.role === role).map(({ held_minor }) => held_minor),
  );
}

describe('ledger, any order of anything', () => {
  it('[BU-01] parallel roles in any order and with any repeats: reserved and spent stay within every cap at every event (T29)', () => {
    let events = 0;
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 40, maxLength: 40 }),
        fc.array(said, { minLength: 20, maxLength: 120, size: 'max' }),
        (calls, sayings) => {
          const desk = new LedgerDesk();
          openAll(desk);
          for (const { call: index, what } of sayings) {
            say(desk, `r${index}`, calls[index] as Call, what);
            events += 1;
            for (const task of TASKS) {
              expect(compareMinor(desk.committed(task), CAPS.task)).toBeLessThanOrEqual(0);
              expect(compareMinor(committedByRole(desk, task, 'extractor'), CAPS.role)).toBeLessThanOrEqual(0);
            }
            const all = addMinor(...TASKS.map((task) => desk.committed(task)));
            expect(compareMinor(all, CAPS.project)).toBeLessThanOrEqual(0);
          }
          for (const totals of desk.told.map((told) => told.totals)) {
            const sum = addMinor(totals.reserved_minor, totals.settled_minor, totals.held_unknown_minor);
            expect(compareMinor(sum, CAPS.task)).toBeLessThanOrEqual(0);
          }
        },
      ),
      { seed: 20_260_101, numRuns: RUNS },
    );
    console.log(`ledger: ${events} events, every cap held after each`);
    expect(events).toBeGreaterThan(RUNS * 20);
  }, 120_000);

  it('[LG2] whatever is repeated, the entries of a reservation tell one story: reserved once, ended once', () => {
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 40, maxLength: 40 }),
        fc.array(said, { minLength: 20, maxLength: 120, size: 'max' }),
        (calls, sayings) => {
          const desk = new LedgerDesk();
          openAll(desk);
          for (const { call: index, what } of sayings) {
            if (what === 'release' || what === 'adjust') continue;
            say(desk, `r${index}`, calls[index] as Call, what);
            say(desk, `r${index}`, calls[index] as Call, what);
          }
          for (let index = 0; index < calls.length; index += 1) {
            const kinds = desk.entries.filter((entry) => entry.reservation_id === `r${index}`).map(({ kind }) => kind);
            expect(kinds.filter((kind) => kind === 'reserved').length).toBeLessThanOrEqual(1);
            expect(kinds.filter((kind) => kind === 'settled').length).toBeLessThanOrEqual(1);
          }
        },
      ),
      { seed: 20_260_102, numRuns: 30 },
    );
  }, 120_000);
});
