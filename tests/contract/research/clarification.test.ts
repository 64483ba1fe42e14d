import { describe, expect, it } from 'vitest';
import type { Clarification } from '#contracts/research/clarification.ts';
import { settleClarifications, unsettled } from '#contracts/research/clarification-answers.ts';
import { originAt, statesEveryOrigin } from '#contracts/research/spec-origins.ts';
import { endOf, namesIn, timeIn } from '#contracts/research/spoken-value.ts';
import { originsOf, taskSpec } from '#tests/support/builders/task-spec.ts';

const items: Clarification = {
  clarification_id: 'items',
  pointer: '/scope/items',
  question: 'Which towers?',
  options: [{ value: ['Alder', 'Birch'], label: 'The two tallest' }],
  default: ['Alder'],
  default_label: 'The tallest',
  default_origin: 'inferred_awaiting_confirmation',
};
const until: Clarification = {
  clarification_id: 'until',
  pointer: '/scope/as_of',
  question: 'As of when?',
  options: [],
  default: null,
  default_label: 'Today',
  default_origin: 'template',
};
const spec = taskSpec({ scope: { items: [] } });
const stated = { spec, origins: originsOf(spec) };

function settle(answers: { clarification_id: string; value: never }[], decide_for_me = false) {
  const settled = settleClarifications(stated, [items, until], { answers, decide_for_me });
  if (!settled.ok) throw new Error(settled.problem.message);
  return settled;
}
const answer = (clarification_id: string, value: unknown) => ({ clarification_id, value: value as never });

describe('clarifications', () => {
  it('[TS-06] what is neither answered nor left to the platform stays open', () => {
    const asked = [items, until];
    expect(unsettled(asked, { answers: [answer('items', 'Alder')], decide_for_me: false })).toEqual([until]);
    expect(unsettled(asked, { answers: [], decide_for_me: true })).toEqual([]);
  });

  it('[TS-02] an answer is the user’s; it may name an option or be free words', () => {
    expect(settle([answer('items', 'the two tallest')]).spec.scope.items).toEqual(['Alder', 'Birch']);
    const free = settle([answer('items', 'Alder, Cedar and Dogwood'), answer('until', '2024-02')]);
    expect(free.spec.scope.items).toEqual(['Alder', 'Cedar', 'Dogwood']);
    expect(free.spec.scope.as_of).toBe('2024-02-29T23:59:59.999Z');
    expect(originAt(free.origins, '/scope/items/2')).toBe('user');
    expect(originAt(free.origins, '/scope/as_of')).toBe('user');
    expect(statesEveryOrigin(free.spec, free.origins)).toBe(true);
  });

  it('[TS-02] “decide for me” takes the default under the default’s own origin, never as the user’s demand', () => {
    const decided = settle([answer('until', '2023')], true);
    expect(decided.spec.scope.items).toEqual(['Alder']);
    expect(originAt(decided.origins, '/scope/items/0')).toBe('inferred_awaiting_confirmation');
    expect(originAt(decided.origins, '/scope/as_of')).toBe('user');
    expect(originAt(settle([], true).origins, '/scope/as_of')).toBe('template');
  });

  it('[TS-03] names that an answer adds stand in the questions, because questions are what is searched', () => {
    expect(settle([answer('items', ['Cedar'])]).spec.scope.questions).toEqual(['How tall are the towers? (Cedar)']);
  });

  it('[TS-02] an answer that does not fit is refused with its place', () => {
    const refused = settleClarifications(stated, [until], { answers: [answer('until', 'soon')], decide_for_me: false });
    expect(refused).toMatchObject({
      ok: false,
      problem: { code: 'spec.invalid', details: { pointer: '/scope/as_of' } },
    });
  });

  it.each([
    ['甲馆、乙馆和丙馆', ['甲馆', '乙馆', '丙馆']],
    ['A; B\nC', ['A', 'B', 'C']],
    ['Sand and Gravel', ['Sand', 'Gravel']],
    ['和平区', ['和平区']],
  ])('[TS-03] %j names %j', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });

  it('[TS-03] a year, a month or a day means its end; a date that no calendar has stays words', () => {
    expect(timeIn('2024')).toBe('2024-12-31T23:59:59.999Z');
    expect(timeIn('2023年2月')).toBe('2023-02-28T23:59:59.999Z');
    expect(timeIn('2024-05-06')).toBe('2024-05-06T23:59:59.999Z');
    expect(timeIn('2023-02-30')).toBe('2023-02-30');
    expect(endOf(2024, 13)).toBeNull();
  });
});
