import { describe, expect, it } from 'vitest';
import type { Json } from '#contracts/json.ts';
import { confirmationReasons } from '#contracts/research/confirmation.ts';
import { FindingCode, FREE_ABILITIES, passes, type PlanAbilities } from '#contracts/research/preflight.ts';
import { preflightStatically } from '#contracts/research/preflight-rules.ts';
import { preflightWords } from '#contracts/research/preflight-words.ts';
import { findSideEffect } from '#contracts/research/side-effects.ts';
import type { TaskSpec } from '#contracts/research/task-spec.ts';
import { field, originsOf, taskSpec } from '#tests/support/builders/task-spec.ts';

const AT = '2026-12-01T00:00:00.000Z';

function check(spec: TaskSpec, abilities: Partial<PlanAbilities> = {}) {
  return preflightStatically({
    spec: spec as Json,
    origins: originsOf(spec),
    abilities: { ...FREE_ABILITIES, ...abilities },
    language: 'en',
    at: AT,
  });
}
const codes = (spec: TaskSpec, abilities: Partial<PlanAbilities> = {}) =>
  check(spec, abilities).map(({ severity, code, pointer }) => `${severity} ${code} ${pointer}`);

const PRICED: PlanAbilities['cost'] = { kind: 'priced', currency: 'USD', at_least_minor: '25' };

describe('static preflight', () => {
  it('[TS-05] finds nothing in a plain research contract', () => {
    expect(check(taskSpec())).toEqual([]);
  });

  it('[PF1] what has the wrong form is told by its place, and nothing else is concluded', () => {
    const spec = { ...taskSpec(), extra: 1, execution: { ...taskSpec().execution, max_pages: 0, max_waves: 'two' } };
    const found = preflightStatically({
      spec: spec as unknown as Json,
      origins: {},
      abilities: { ...FREE_ABILITIES, browser: false },
      language: 'en',
      at: AT,
    });
    expect(found.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['range.exceeded', '/execution/max_pages'],
      ['type.invalid', '/execution/max_waves'],
      ['type.unknown_field', ''],
    ]);
  });

  it('[TS-02] a value without an origin cannot be frozen', () => {
    const spec = taskSpec();
    const { '/scope/items/0': _gone, ...origins } = originsOf(spec);
    const found = preflightStatically({
      spec: spec as Json,
      origins,
      abilities: FREE_ABILITIES,
      language: 'en',
      at: AT,
    });
    expect(found).toMatchObject([{ severity: 'error', code: 'type.origin_missing', pointer: '/scope/items/0' }]);
  });

  it.each<[string, TaskSpec, Partial<PlanAbilities>, string]>([
    [
      'range',
      taskSpec({ execution: { max_pages: 200 } }),
      { limits: { ...FREE_ABILITIES.limits, max_pages: 50 } },
      'error range.above_project_limit /execution/max_pages',
    ],
    [
      'range',
      taskSpec({ execution: { max_pages: 1 }, scope: { questions: ['a', 'b'] } }),
      {},
      'warning range.fewer_pages_than_questions /execution/max_pages',
    ],
    [
      'range',
      taskSpec({ scope: { as_of: '2030-01-01T00:00:00.000Z' } }),
      {},
      'warning range.as_of_in_future /scope/as_of',
    ],
    ['range', taskSpec({ scope: { exclusions: ['birch'] } }), {}, 'error range.item_excluded /scope/items/1'],
    ['authorisation', taskSpec({ policy_refs: ['write/1'] }), {}, 'error authorisation.policy_unknown /policy_refs/0'],
    [
      'authorisation',
      taskSpec({ scope: { known_urls: ['http://169.254.169.254/latest'] } }),
      {},
      'warning authorisation.address_refused /scope/known_urls/0',
    ],
    [
      'authorisation',
      taskSpec({ scope: { known_urls: ['https://b.test/'], allowed_domains: ['a.test'] } }),
      {},
      'warning authorisation.address_outside_domains /scope/known_urls/0',
    ],
    [
      'authorisation',
      taskSpec({ requirement_text: '帮我购买两张去上海的车票' }),
      {},
      'warning authorisation.side_effect /requirement_text',
    ],
    ['tools', taskSpec(), { browser: false }, 'error ability.browser_missing '],
    ['tools', taskSpec(), { search: false }, 'error ability.search_missing '],
    ['budget', taskSpec(), { cost: PRICED }, 'error budget.none /budget/cap_minor'],
    [
      'budget',
      taskSpec({ budget: { cap_minor: '20' } }),
      { cost: PRICED },
      'error budget.below_cost /budget/cap_minor',
    ],
    [
      'budget',
      taskSpec({ budget: { currency: 'CNY', cap_minor: '900' } }),
      { cost: PRICED },
      'error budget.other_currency /budget/currency',
    ],
    [
      'budget',
      taskSpec({ budget: { cap_minor: '900' } }),
      { cost: { kind: 'unknown' } },
      'error budget.price_unknown /budget/unknown_price_policy',
    ],
    ['output', taskSpec({ output: { formats: ['pdf'] } }), {}, 'error output.format_not_supported /output/formats/0'],
    [
      'output',
      taskSpec({ mode: 'dataset', output: { form: 'dataset', fields: [field('a')] } }),
      {},
      'error output.mode_not_delivered /mode',
    ],
  ])('[TS-05] %s: %#', (_kind, spec, abilities, finding) => {
    expect(codes(spec, abilities)).toContain(finding);
  });

  it('[TS-05] search is not missed where the pages are named; a budget that covers an unknown price by approval is one', () => {
    expect(codes(taskSpec({ scope: { known_urls: ['https://a.test/'] } }), { search: false })).toEqual([]);
    const approved = taskSpec({ budget: { cap_minor: '900', unknown_price_policy: 'approved_upper_bound' } });
    expect(codes(approved, { cost: { kind: 'unknown' } })).toEqual([]);
    expect(codes(taskSpec({ budget: { cap_minor: '25' } }), { cost: PRICED })).toEqual([]);
  });

  it('[TS-05] the fields of a data set are there, once each, and its key is among them', () => {
    const dataset = (fields: object[], key: string[]) =>
      codes(taskSpec({ mode: 'dataset', output: { form: 'dataset', fields, key } }), {
        modes: ['dataset'],
      });
    expect(dataset([], [])).toEqual(['error output.fields_missing /output/fields']);
    expect(dataset([field('a'), field('a')], ['b'])).toEqual([
      'error output.field_twice /output/fields/1',
      'error output.key_unknown /output/key/0',
    ]);
    expect(dataset([field('a')], ['a'])).toEqual([]);
  });

  it('[PF2] says no word of anything reached or tried, in both languages, for every finding there is', () => {
    for (const language of ['en', 'zh-CN'] as const) {
      const words = preflightWords(language);
      for (const code of FindingCode.options) expect(words[code]('X').length, code).toBeGreaterThan(6);
      const spoken = FindingCode.options
        .filter((code) => !code.endsWith('_unreachable'))
        .map((code) => words[code]('X'));
      expect(spoken.join(' ')).not.toMatch(/did not answer|did not start|没有响应|没有启动|reached|works/);
    }
    const all = codes(taskSpec({ policy_refs: ['w/1'] }), { browser: false, search: false, cost: { kind: 'unknown' } });
    expect(all.filter((line) => line.includes('unreachable'))).toEqual([]);
  });

  it('[TS-05] errors stand before warnings and forbid the start', () => {
    const findings = check(taskSpec({ execution: { max_pages: 1 }, scope: { questions: ['a', 'b'] } }), {
      browser: false,
    });
    expect(findings.map(({ severity }) => severity)).toEqual(['error', 'warning']);
    expect(passes({ findings })).toBe(false);
    expect(passes({ findings: findings.slice(1) })).toBe(true);
  });
});

describe('side effects', () => {
  it.each([
    ['Buy me a ticket to Oslo', 'Buy me a ticket to Oslo'],
    ['Find the cheapest one and then order it', 'order it'],
    ['请帮我预约明天的挂号', '帮我预约明天的挂号'],
    ['What should I buy for a small kitchen?', null],
    ['Send me a summary of the findings', null],
    ['帮我发一份总结', null],
    ['中国居民购买力的变化', null],
    ['Which museums let you book the tour online?', null],
    ['帮我调研订阅制软件的价格', null],
  ])('[BR-08] %j asks for: %j', (text, wish) => {
    expect(findSideEffect(text)).toBe(wish);
  });
});

describe('confirmation', () => {
  const reasons = (spec: TaskSpec, stated = {}) =>
    confirmationReasons(spec, originsOf(spec, stated), { findings: check(spec) });

  it('[TS-06] a clear, low-risk request needs no click', () => {
    expect(reasons(taskSpec())).toEqual([]);
  });

  it.each<[TaskSpec, string[]]>([
    [taskSpec({ requirement_text: 'Show me the plan first: how tall is it?' }), ['asked_to_see_the_plan']],
    [taskSpec({ requirement_text: '调研光伏行业，先看计划' }), ['asked_to_see_the_plan']],
    [taskSpec({ budget: { cap_minor: '500' } }), ['spends_money']],
    [taskSpec({ execution: { max_pages: 120 } }), ['many_pages']],
    [taskSpec({ execution: { max_duration_ms: 7_200_000 } }), ['long_run']],
    [taskSpec({ requirement_text: 'Book me a table in Lyon' }), ['has_findings']],
  ])('[TS-06] waits for a person: %#', (spec, expected) => {
    expect(reasons(spec)).toEqual(expected);
  });

  it('[TS-06] a budget that the project settled was approved there', () => {
    const spec = taskSpec({ budget: { cap_minor: '500' } });
    expect(reasons(spec, { '/budget/cap_minor': 'project_setting' })).toEqual([]);
  });
});
