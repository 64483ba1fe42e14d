import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costWords } from '#client/chat/progress-words.ts';
import { en } from '#client/i18n/en.ts';
import { createFormat } from '#client/i18n/format.ts';
import { zhCN } from '#client/i18n/zh-CN.ts';
import { costInWords } from '#contracts/research/cost-words.ts';
import {
  addMinor,
  compareMinor,
  majorOf,
  minorOfMicros,
  shareOfMinor,
  subtractMinor,
} from '#contracts/research/minor.ts';
import { MinorAmount } from '#contracts/research/money.ts';
import { assembleAnswer, printAnswer } from '#scripts/ask/answer.ts';
import { aMessage, aTaskDetail } from '../client/support/messages.ts';

const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.nat({ max: 999_999 }))
  .map(([whole, rest]) => addMinor(String(whole), `0.${String(rest).padStart(6, '0')}`));

describe('amounts', () => {
  it('[TS-04] sums, differences and comparisons are exact, whatever the order', () => {
    fc.assert(
      fc.property(amount, amount, amount, (a, b, c) => {
        expect(addMinor(a, addMinor(b, c))).toBe(addMinor(addMinor(c, a), b));
        expect(subtractMinor(addMinor(a, b), b)).toBe(a);
        expect(compareMinor(addMinor(a, b), a)).toBeGreaterThanOrEqual(0);
        expect(addMinor(shareOfMinor(a, 0.85), shareOfMinor(a, 0.15))).toBe(a);
        expect(MinorAmount.safeParse(addMinor(a, b)).success).toBe(true);
      }),
      { seed: 20_260_104 },
    );
    expect(subtractMinor('1', '2')).toBe('0');
    expect(addMinor('0.1', '0.2')).toBe('0.3');
    expect(addMinor()).toBe('0');
  });

  it('[TS-04] an amount is told in the unit of its currency', () => {
    expect([majorOf('12.5', 'USD'), majorOf('650', 'JPY'), majorOf('1500', 'KWD')]).toEqual(['0.125', '650', '1.5']);
    expect([minorOfMicros(12_345, 'USD'), minorOfMicros(2_000_000, 'JPY')]).toEqual(['1.2345', '2']);
    for (const bad of ['-1', '01', '1.', '.5', '1e3', '']) expect(MinorAmount.safeParse(bad).success, bad).toBe(false);
  });
});

const cost = (settled_minor: string, unknown_calls = 0, reserved_minor = '0') => ({
  currency: 'USD',
  settled_minor,
  unknown_calls,
  reserved_minor,
});

describe('a cost in words', () => {
  it('[BU-01] what is unknown is a lower bound and says so, never nothing', () => {
    expect(costInWords(cost('0'))).toBe('none');
    expect(costInWords(cost('12.5'))).toBe('0.125 USD');
    expect(costInWords(cost('0', 1))).toBe('≥ 0 USD + unknown (1 call)');
    expect(costInWords(cost('12.5', 2, '40'))).toBe('≥ 0.125 USD + unknown (2 calls), 0.4 USD reserved');
  });

  it('[BU-01] on a terminal, for programs and on the page alike', () => {
    const rest = { mode: 'research', language: 'en', files: [], durationMs: 1 };
    const answer = assembleAnswer(aMessage(), aTaskDetail({ cost: cost('12.5', 2) }), rest);
    expect(answer.cost).toMatchObject({ settled_minor: '12.5', text: '≥ 0.125 USD + unknown (2 calls)' });
    expect(printAnswer(answer)).toContain('cost: ≥ 0.125 USD + unknown (2 calls)');
    expect(printAnswer(assembleAnswer(aMessage(), null, rest))).not.toContain('cost');
    expect(costWords({ cost: cost('12.5', 2) }, en, createFormat('en'))).toBe('Cost ≥ $0.125 + unknown');
    expect(costWords({ cost: cost('12.5', 2, '100') }, zhCN, createFormat('zh-CN'))).toBe(
      '费用 ≥ US$0.125 + 未知 · 预留 US$1.00',
    );
    expect(costWords({ cost: cost('0') }, en, createFormat('en'))).toBeNull();
  });
});
