import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateQuote, verifyQuote } from '#contracts/text/quote.ts';

const PAGE = [
  'Passenger traffic reached 3,783,069 in 2012 — “a record”, the airport’s director said.',
  'It’s 5.5 km from the centre; the fare is -15 below the average of 115 roubles.',
  '点击“停止”按钮后，任务会先显示“已接受”，然后（在停止被保存之后）显示“已停止”。共 12 个页面……',
].join('\n');

const LOOSE: readonly [string, string][] = [
  ['“a record”, the airport’s', '"a record", the airport\'s'],
  ['2012 — “a', '2012 - "a'],
  ['点击“停止”按钮后，任务', '点击"停止"按钮后, 任务'],
  ['然后（在停止被保存之后）显示', '然后(在停止被保存之后)显示'],
  ['共 12 个页面', '共12个页面'],
  ['It’s 5.5 km', "It's  5.5\u00a0km"],
];

describe('locateQuote', () => {
  it('[EV-03] white space, quotes and full-width marks may differ; the page’s own characters come back', () => {
    for (const [own, retyped] of LOOSE) {
      const found = locateQuote(PAGE, retyped);
      expect(found?.quote, retyped).toBe(own);
      expect(found !== null && verifyQuote(PAGE, found)).toBe(true);
    }
  });

  it('[EV-03] no changed digit, letter or case is ever accepted', () => {
    const letters = [...PAGE].map((char, i) => [char, i] as const).filter(([char]) => /[\p{L}\p{N}]/u.test(char));
    for (const [char, at] of letters) {
      const other = /\p{N}/u.test(char) ? String((Number(char) + 1) % 10) : char === 'q' ? 'z' : 'q';
      const from = Math.max(0, at - 12);
      const changed = `${PAGE.slice(from, at)}${other}${PAGE.slice(at + 1, at + 12)}`;
      expect(locateQuote(PAGE, changed), changed).toBeNull();
    }
    expect(locateQuote(PAGE, 'passenger traffic')).toBeNull();
  });

  it('[EV-03] a quote does not begin or end inside a word or a number', () => {
    for (const part of [
      'assenger traffic',
      'reached 3',
      '783,069 in',
      '15 roubles',
      '5 km',
      '15 below the',
      'rouble',
    ]) {
      expect(locateQuote(PAGE, part), part).toBeNull();
    }
  });

  it('[EV-03] of several places the nearest is taken', () => {
    const text = 'Click Stop. Then wait. Click Stop.';
    expect(locateQuote(text, 'Click Stop.')?.start).toBe(0);
    expect(locateQuote(text, 'Click Stop.', 30)?.start).toBe(23);
  });

  it('[EV-03] any stretch of whole words is found, also with its white space changed', () => {
    const word = fc.constantFrom('alpha', 'Beta', '12', '3.5', '停止', '任务，', 'x-y', '“q”', 'é', '😀');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (list, a, b) => {
        const from = a % list.length;
        const to = from + 1 + (b % (list.length - from));
        const page = list.join(' ');
        const found = locateQuote(page, list.slice(from, to).join('\u00a0\n '));
        expect(found).not.toBeNull();
        expect(found !== null && verifyQuote(page, found)).toBe(true);
      }),
    );
  });
});

describe('verifyQuote', () => {
  it('[EV-03] only the exact characters at the exact offsets pass', () => {
    expect(verifyQuote('abc def', { quote: 'def', start: 4, end: 7 })).toBe(true);
    for (const bad of [
      { quote: 'def', start: 3, end: 6 },
      { quote: 'Def', start: 4, end: 7 },
      { quote: '', start: 4, end: 4 },
      { quote: 'def', start: 4, end: 8 },
      { quote: 'abc', start: -7, end: 3 },
      { quote: 'abc', start: 0.0001, end: 3 },
      { quote: 'abc', start: Number.NaN, end: 3 },
    ]) {
      expect(verifyQuote('abc def', bad), JSON.stringify(bad)).toBe(false);
    }
  });
});
