import { describe, expect, it } from 'vitest';
import { cost, LedgerDesk, TASK } from '#tests/support/fakes/ledger-desk.ts';

const of = (reservation_id: string, task_id = TASK) => ({ task_id, reservation_id });
const last = (desk: LedgerDesk) => desk.told.at(-1)?.totals;

describe('reserving', () => {
  it('[LG1] what is reserved and spent is never lifted above the cap, and what is let go may be reserved again', () => {
    const desk = new LedgerDesk().open();
    expect(desk.reserve('a', '500')).toBe('granted');
    expect(desk.reserve('b', '351')).toBe('write_up_reserve');
    expect(desk.reserve('b', '501')).toBe('cap');
    expect(desk.reserve('b', '350')).toBe('granted');
    expect(desk.reserve('c', '0.0001')).toBe('write_up_reserve');
    desk.settle('a', cost('200.25'));
    expect(desk.committed()).toBe('550.25');
    expect(desk.reserve('c', '299.75')).toBe('granted');
    desk.post({ type: 'ledger.release', ...of('b') });
    expect(desk.committed()).toBe('500');
  });

  it('[BU-01] a role has its own cap inside the one of the task, and the project one around all', () => {
    const desk = new LedgerDesk().open({ role_caps: { extractor: '100' } }).open({ task_id: 'tsk_other' });
    desk.post({ type: 'ledger.set_project', cap: { currency: 'USD', cap_minor: '400' }, by: 'admin' });
    expect(desk.reserve('a', '60')).toBe('granted');
    expect(desk.reserve('b', '41')).toBe('role_cap');
    expect(desk.reserve('b', '200', { role: 'analyst' })).toBe('granted');
    expect(desk.reserve('c', '141', { task_id: 'tsk_other', role: 'analyst' })).toBe('project_cap');
    expect(desk.reserve('c', '140', { task_id: 'tsk_other', role: 'analyst' })).toBe('granted');
    desk.post({ type: 'ledger.set_project', cap: null, by: 'admin' });
    expect(desk.reserve('d', '141', { task_id: 'tsk_other', role: 'analyst' })).toBe('granted');
  });

  it('[LG2] a repeated message changes nothing', () => {
    const desk = new LedgerDesk().open();
    expect(desk.reserve('a', '100')).toBe('granted');
    expect(desk.reserve('a', '900')).toBe('granted');
    expect(desk.committed()).toBe('100');
    desk.settle('a', cost('40')).settle('a', cost('90'));
    desk.post({ type: 'ledger.release', ...of('a') });
    desk.post({ type: 'ledger.unknown', ...of('a'), why: 'late' });
    expect(desk.reserve('a', '100')).toBe('granted');
    expect(desk.account()).toMatchObject({ settled_minor: '40', holds: [] });
    expect(desk.entries.map(({ kind }) => kind)).toEqual(['opened', 'reserved', 'settled']);
  });

  it('[LG3] another currency is refused before, and stays unknown after; nothing is converted (TS-04)', () => {
    const desk = new LedgerDesk().open();
    expect(desk.reserve('a', '1', { currency: 'EUR' })).toBe('other_currency');
    expect(desk.reserve('b', '100')).toBe('granted');
    desk.settle('b', cost('3', [], 'EUR'));
    expect(last(desk)).toMatchObject({
      currency: 'USD',
      settled_minor: '0',
      unknown_calls: 1,
      held_unknown_minor: '100',
    });
    expect(desk.entries.at(-1)).toMatchObject({
      kind: 'unknown',
      note: 'charged 3 EUR (minor), and the budget is in USD',
    });
    desk.open({ currency: 'EUR' });
    expect(desk.account().currency).toBe('USD');
    desk.post({ type: 'ledger.set_project', cap: { currency: 'EUR', cap_minor: '400' }, by: 'admin' });
    expect(desk.reserve('c', '1')).toBe('other_currency');
  });

  it('[LG4] an unknown price blocks, or holds the approved upper bound; it is never free (PL-04)', () => {
    const desk = new LedgerDesk().open();
    expect(desk.reserve('a', null)).toBe('unknown_price');
    expect(desk.reserve('a', null, { currency: null })).toBe('unknown_price');
    expect(desk.reserve('a', '5', { currency: null })).toBe('unknown_price');
    desk.open({ unknown_price_policy: 'approved_upper_bound' });
    expect(desk.reserve('a', null)).toBe('unknown_price');
    desk.open({ unknown_price_policy: 'approved_upper_bound', upper_bound_minor: '400' });
    expect(desk.reserve('a', null, { currency: null })).toBe('granted');
    expect(desk.committed()).toBe('400');
    desk.settle('a', cost('0', ['price'], null));
    expect(last(desk)).toMatchObject({ settled_minor: '0', unknown_calls: 1, held_unknown_minor: '400' });
    expect(desk.reserve('b', null, { currency: null })).toBe('granted');
    expect(desk.reserve('c', null, { currency: null })).toBe('cap');
  });

  it('[LG6] new work leaves what is kept for the write-up alone, and the write-up may take all of it (T30)', () => {
    const desk = new LedgerDesk().open({ write_up_share: 0.2 });
    expect(desk.reserve('a', '800')).toBe('granted');
    expect(desk.reserve('b', '1')).toBe('write_up_reserve');
    expect(last(desk)?.at_85_percent).toBe(true);
    expect(desk.reserve('w', '200', { purpose: 'write_up' })).toBe('granted');
    expect(desk.reserve('x', '1', { purpose: 'write_up' })).toBe('cap');
    const other = new LedgerDesk().open();
    // What the write-up used already is not kept a second time.
    expect(other.reserve('w', '150', { purpose: 'write_up' })).toBe('granted');
    expect(other.reserve('a', '850')).toBe('granted');
  });

  it('[BU-03] the account says when 85 % are gone, and when work was refused for want of money', () => {
    const desk = new LedgerDesk().open();
    desk.reserve('a', '850');
    expect(last(desk)?.at_85_percent).toBe(false);
    desk.settle('a', cost('849.9'));
    expect(last(desk)?.at_85_percent).toBe(false);
    desk.reserve('b', '0.1');
    desk.settle('b', cost('0.1'));
    expect(last(desk)?.at_85_percent).toBe(true);
    desk.open({ cap_minor: '5000' });
    expect(desk.reserve('c', '1000')).toBe('granted');
    expect(last(desk)?.at_85_percent).toBe(false);
    expect(desk.reserve('d', '9000')).toBe('cap');
    expect(last(desk)?.at_85_percent).toBe(true);
    expect(desk.told.at(-1)?.data).toMatchObject({ kind: 'exhausted', reason: 'cap' });
  });

  it('[BU-01] what costs nothing needs no room, and without an account nothing is granted', () => {
    const desk = new LedgerDesk();
    expect(desk.reserve('a', '0')).toBe('no_budget');
    desk.open({ cap_minor: '0' });
    expect(desk.reserve('a', '0')).toBe('granted');
    expect(desk.reserve('b', '0.000001')).toBe('cap');
    desk.open({ cap_minor: null });
    expect(desk.reserve('b', '123456789')).toBe('granted');
  });
});

describe('settling', () => {
  it('[LG5] what was sent and is not known in full keeps its hold until somebody finds out (TK-06)', () => {
    const desk = new LedgerDesk().open();
    desk.reserve('a', '100');
    desk.post({ type: 'ledger.unknown', ...of('a'), why: 'the process ended' });
    desk.post({ type: 'ledger.release', ...of('a') });
    expect(last(desk)).toMatchObject({
      reserved_minor: '0',
      settled_minor: '0',
      unknown_calls: 1,
      held_unknown_minor: '100',
    });
    desk.settle('a', cost('30', ['output']));
    expect(last(desk)).toMatchObject({ settled_minor: '30', unknown_calls: 1, held_unknown_minor: '70' });
    expect(desk.committed()).toBe('100');
    desk.post({ type: 'ledger.adjust', ...of('a'), cost: cost('55'), by: 'invoice 7' });
    expect(last(desk)).toMatchObject({ settled_minor: '55', unknown_calls: 0, held_unknown_minor: '0' });
    desk.post({ type: 'ledger.adjust', ...of('a'), cost: cost('50'), by: 'invoice 8' });
    desk.post({ type: 'ledger.adjust', ...of('a'), cost: cost('1', ['output']), by: 'a guess' });
    expect(last(desk)?.settled_minor).toBe('50');
    expect(desk.account().by_role).toEqual({ extractor: '50' });
  });

  it('[LG7] after the end nothing new is reserved, calls in flight are cancelled, and late costs are settled (TK-05)', () => {
    const desk = new LedgerDesk().open();
    desk.reserve('a', '100');
    desk.reserve('b', '100');
    desk.post({ type: 'ledger.unknown', ...of('b'), why: 'the process ended' });
    desk.post({ type: 'ledger.close_task', task_id: TASK });
    desk.post({ type: 'ledger.close_task', task_id: TASK });
    expect(desk.cancelled).toEqual(['paid-call/a']);
    expect(desk.reserve('c', '0')).toBe('stopped');
    desk.settle('a', cost('70'));
    expect(last(desk)).toMatchObject({ settled_minor: '70', held_unknown_minor: '100' });
  });

  it('[LG11] what was spent without a reservation is booked once and in full, with or without an account (WS-07)', () => {
    const desk = new LedgerDesk();
    const search = { type: 'ledger.record' as const, task_id: TASK, role: 'search', what: 'brave' };
    desk.post({ ...search, call_id: 's1', cost: cost('0.5') });
    desk.post({ ...search, call_id: 's1', cost: cost('0.5') });
    expect(last(desk)).toMatchObject({ cap_minor: null, settled_minor: '0.5', unknown_calls: 0 });
    desk.open({ cap_minor: '1' });
    desk.post({ type: 'ledger.close_task', task_id: TASK });
    desk.post({ ...search, call_id: 's2', cost: cost('2') });
    desk.post({ ...search, call_id: 's3', cost: cost('0.25', ['output']) });
    desk.post({ ...search, call_id: 's3', cost: cost('0.25', ['output']) });
    expect(last(desk)).toMatchObject({
      cap_minor: '1',
      settled_minor: '2.75',
      unknown_calls: 1,
      held_unknown_minor: '0',
    });
    desk.post({ type: 'ledger.adjust', ...of('s3'), cost: cost('0.75'), by: 'invoice' });
    expect(last(desk)).toMatchObject({ settled_minor: '3.25', unknown_calls: 0 });
    expect(desk.entries.map(({ kind }) => kind).filter((kind) => kind === 'settled')).toHaveLength(2);
  });

  it('[LG8] a call that cost more than was held is booked in full, and nothing more is granted', () => {
    const desk = new LedgerDesk().open({ cap_minor: '100' });
    desk.reserve('a', '80');
    desk.settle('a', cost('250.5'));
    expect(last(desk)).toMatchObject({ settled_minor: '250.5', at_85_percent: true });
    expect(desk.reserve('b', '1', { purpose: 'write_up' })).toBe('cap');
  });

  it('[LG9] every change is an entry of its own, numbered without gaps, and the task hears the totals', () => {
    const desk = new LedgerDesk().open();
    desk.reserve('a', '100');
    desk.reserve('b', '2000');
    desk.settle('a', cost('1'));
    desk.post({ type: 'ledger.close_task', task_id: TASK });
    expect(desk.entries.map(({ kind }) => kind)).toEqual(['opened', 'reserved', 'refused', 'settled', 'closed']);
    expect(desk.entries.map(({ entry_seq }) => entry_seq)).toEqual(['1', '2', '3', '4', '5']);
    expect(desk.entries[1]).toMatchObject({ reservation_id: 'a', minor: '100', currency: 'USD', price_version: 'v1' });
    expect(desk.told.map(({ event_type, data }) => [event_type, data['kind']])).toEqual([
      ['budget.reserved', 'reserved'],
      ['budget.settled', 'exhausted'],
      ['budget.settled', 'settled'],
    ]);
  });

  it('[LG10] however many tasks and calls there were, they fit into a row, and the project knows all that was spent', () => {
    const desk = new LedgerDesk();
    for (let task = 0; task < 32; task += 1) {
      const task_id = `tsk_${String(task).padStart(12, '0')}`;
      desk.open({ task_id });
      for (let call = 0; call < 12; call += 1) {
        const id = `paid-call-of-a-rather-long-name-${task}-${call}`;
        desk.reserve(id, '2', { task_id });
        desk.settle(id, cost('1.5'), task_id);
      }
      desk.post({ type: 'ledger.close_task', task_id });
    }
    expect(desk.characters).toBeLessThan(60_000);
    expect(desk.state.accounts).toHaveLength(20);
    desk.post({ type: 'ledger.set_project', cap: { currency: 'USD', cap_minor: '586' }, by: 'admin' });
    desk.open();
    expect(desk.reserve('a', '10.5')).toBe('project_cap');
    expect(desk.reserve('a', '10')).toBe('granted');
    expect(desk.reserve('b', '1', { task_id: 'tsk_000000000000' })).toBe('no_budget');
  }, 60_000);
});
