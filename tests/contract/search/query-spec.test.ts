import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  queryIdentity,
  QUERY_RULES_VERSION,
  WHOLE_WEB,
  withoutRepeated,
  type QueryScope,
} from '#contracts/research/query-spec.ts';
import { reasonToSearch } from '#contracts/research/search-reason.ts';

const identity = (words: string, scope: Partial<QueryScope> = {}): string =>
  queryIdentity({ words, scope: { ...WHOLE_WEB, ...scope }, origin: 'question' });

describe('identity of a query', () => {
  it.each([
    ['How tall is the Alder tower?', 'Alder tower: how tall'],
    ['ALDER  Tower heights', 'the height of the Alder tower'],
    ['故宫 门票 预约', '预约故宫门票'],
    ['café opening hours', 'Cafe opening hour'],
  ])('[SE-09] “%s” and “%s” are the same', (a, b) => {
    expect(identity(a)).toBe(identity(b));
  });

  it.each([
    ['Alder tower height', 'Alder bridge height'],
    ['drinks with sugar', 'drinks without sugar'],
    ['is it allowed', "isn't it allowed"],
    ['可以拍照', '不可以拍照'],
    ['flights from Paris to Rome', 'flights from Rome to Paris'],
    ['从北京到上海的车', '从上海到北京的车'],
    ['version 2', 'version 3'],
  ])('[SE-09] “%s” and “%s” are not', (a, b) => {
    expect(identity(a)).not.toBe(identity(b));
  });

  it('[SE-09] the same words for another object, time, region, language, purpose or place are another query', () => {
    const scopes: Partial<QueryScope>[] = [
      {},
      { object: 'North hall' },
      { object: 'South hall' },
      { time: '2025' },
      { region: 'CN-11' },
      { language: 'zh-CN' },
      { purpose: 'price watch' },
      { allowed_domains: ['a.test'] },
    ];
    expect(new Set(scopes.map((scope) => identity('opening hours', scope))).size).toBe(scopes.length);
    expect(identity('x', { object: ' North  Hall ' })).toBe(identity('x', { object: 'north hall' }));
    expect(identity('x', { allowed_domains: ['b.test', 'a.test'] })).toBe(
      identity('x', { allowed_domains: ['a.test', 'b.test'] }),
    );
  });

  it('[SE-09] names its rules, so that identities of other rules do not match', () => {
    expect(JSON.parse(identity('tower'))).toMatchObject({ rules: QUERY_RULES_VERSION });
  });

  it('[SE-09] any order of plain words is one query', () => {
    const word = fc.constantFrom('alder', 'tower', 'height', 'harbour', 'lamp', 'ferry', '塔', '灯');
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1 }), (words) => {
        expect(identity(words.toReversed().join(' '))).toBe(identity(words.join(' ')));
      }),
    );
  });
});

describe('repeated queries', () => {
  const spec = (words: string, object: string | null = null) => ({
    words,
    scope: { ...WHOLE_WEB, object },
    origin: 'question',
  });

  it('[SE-09] the same query twice is left out and names what it repeats; for another object it stays', () => {
    const { fresh, suppressed } = withoutRepeated([
      spec('Alder tower height'),
      spec('height of the Alder tower'),
      spec('Alder tower height', 'model'),
    ]);
    expect(fresh.map(({ spec: { words, scope } }) => [words, scope.object])).toEqual([
      ['Alder tower height', null],
      ['Alder tower height', 'model'],
    ]);
    expect(suppressed).toMatchObject([{ spec: { words: 'height of the Alder tower' }, same_as: 'Alder tower height' }]);
  });

  it('[SE-09] what an earlier search asked is not asked again', () => {
    const first = withoutRepeated([spec('Alder tower height')]).fresh[0];
    const asked = new Map([[first?.identity ?? '', 'Alder tower height']]);
    expect(withoutRepeated([spec('the height of Alder tower')], asked).fresh).toEqual([]);
  });
});

it.each([
  ['What is the latest version of Node?', 'fresh'],
  ['今年的门票价格是多少', 'fresh'],
  ['What do people on Reddit say about it?', 'platform'],
  ['附近有什么博物馆', 'regional'],
  ['How tall is the Alder tower?', 'uncertain'],
])('[WS-11] “%s” is looked up because it is %s', (question, reason) => {
  expect(reasonToSearch(question)).toBe(reason);
});
