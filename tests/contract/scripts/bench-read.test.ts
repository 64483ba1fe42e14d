import { describe, expect, it } from 'vitest';
import { overlapOf, scoreArticles } from '#scripts/bench/read/score-articles.ts';
import { scoreProducts } from '#scripts/bench/read/score-products.ts';
import { scoreTables } from '#scripts/bench/read/score-tables.ts';
import { textSimilarity } from '#scripts/bench/read/text-similarity.ts';
import { visibleText } from '#scripts/bench/read/visible-text.ts';

describe('bench read: scores', () => {
  it('[BR-09] an article is scored by runs of four words, page by page', () => {
    expect(overlapOf('a b c d e', 'a b c d f')).toEqual({ both: 1, extra: 1, missing: 1 });
    expect(overlapOf('a b', 'a b')).toEqual({ both: 1, extra: 0, missing: 0 });
    const whole = { both: 10, extra: 0, missing: 0 };
    const empty = { both: 0, extra: 0, missing: 10 };
    // Nothing read: no precision to count, but nothing was found either.
    expect(scoreArticles([whole, empty])).toEqual({ precision: 1, recall: 0.5, f1: 2 / 3 });
  });

  it('[BR-09] a wrong product value counts twice, a missing one once, a price as a number', () => {
    const accepted = new Map([
      ['price', ['12.50']],
      ['sku', ['A-1']],
    ]);
    const score = scoreProducts([
      { accepted, fields: { price: '12.5', sku: 'A-2' } },
      { accepted, fields: { price: '12,50', sku: 'A-1' } },
      { accepted, fields: {} },
    ]);
    expect(score.price_f1).toBeCloseTo((2 * (1 / 2) * (1 / 3)) / (1 / 2 + 1 / 3));
    expect(score.sku_f1).toBe(score.price_f1);
    expect(score.brand_f1).toBe(0);
  });

  it('[BR-09] a table is the same after the tidying that its truth had', () => {
    const gold = [
      ['Year', 'ShipsIn', 'ShipsOut'],
      ['1871', '10', '9'],
      ['1872', '12', '11'],
    ];
    const read = [
      ['Year', 'Ships', 'Ships'],
      ['Year', 'In', 'Out'],
      ['all', 'all', 'all'],
      ['1871', '10[1]', '9'],
      ['1872', '12', '11'],
    ];
    expect(scoreTables(gold, [[['x']], read])).toEqual({ cells: 1, isExact: true });
    expect(scoreTables(gold, [read.slice(0, 4)]).isExact).toBe(false);
    expect(scoreTables(gold, [])).toEqual({ cells: 0, isExact: false });
  });

  it('[BR-09] similarity counts words in their order, and characters where words are not parted', () => {
    expect(textSimilarity('one two three', 'one  two, three!')).toBe(1);
    expect(textSimilarity('one two three four', 'zero one three four')).toBeCloseTo(6 / 8);
    expect(textSimilarity('北京是首都', '北京首都')).toBeCloseTo(8 / 9);
    expect(textSimilarity('', 'word')).toBe(0);
    expect(visibleText('<p>a<b>b</b></p><script>x</script>c').match(/\w+/gu)).toEqual(['ab', 'c']);
  });
});
