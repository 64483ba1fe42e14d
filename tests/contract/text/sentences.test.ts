import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SENTENCE_CHARS, splitSentences } from '#contracts/text/sentences.ts';

const split = (text: string): string[] => splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  it('[EV-01] abbreviations, initials, decimals and list markers end no sentence', () => {
    expect(split('Dr. J. Smith paid $3.5 million (approx. 2 of 7) in the U.S. in 1990. He left.')).toEqual([
      'Dr. J. Smith paid $3.5 million (approx. 2 of 7) in the U.S. in 1990.',
      'He left.',
    ]);
    expect(split('1. Open the page. 2. Click Stop.')).toEqual(['1. Open the page.', '2. Click Stop.']);
    expect(split('Use npm v. 10, e.g. for node.js projects.')).toHaveLength(1);
  });

  it('[EV-01] Chinese sentences end at their marks, with the closing quote', () => {
    expect(split('他说：“停止！”然后离开。真的吗？是的')).toEqual(['他说：“停止！”', '然后离开。', '真的吗？', '是的']);
  });

  it('[EV-01] closing quotes and footnote marks belong to the sentence before', () => {
    expect(split('"Really?" she said. He nodded.[3] Then (it was late.) They went.')).toEqual([
      '"Really?" she said.',
      'He nodded.[3]',
      'Then (it was late.)',
      'They went.',
    ]);
  });

  it('[EV-01] a wrapped line continues the sentence, an empty line or a list item ends it', () => {
    expect(split('One sentence\nover two lines.\n\nAnother\n- item one\n- item two')).toEqual([
      'One sentence\nover two lines.',
      'Another',
      '- item one',
      '- item two',
    ]);
  });

  it('[EV-01] offsets are true with a base, ordered, within the size limit, and nothing but white space lies between', () => {
    const piece = fc.constantFrom(
      'word ',
      'Dr. ',
      '3.5 ',
      '。',
      '. ',
      '! ',
      '\n',
      '\n\n',
      '你好',
      '”',
      '[1]',
      '😀',
      ' ',
      'X. ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), fc.nat(50), (pieces, base) => {
        const text = pieces.join('');
        let last = base;
        for (const { start, end } of splitSentences(text, base)) {
          expect(text.slice(last - base, start - base).trim()).toBe('');
          expect(end).toBeGreaterThan(start);
          expect(end - start).toBeLessThanOrEqual(MAX_SENTENCE_CHARS);
          expect(text.slice(start - base, end - base)).toBe(text.slice(start - base, end - base).trim());
          last = end;
        }
        expect(text.slice(last - base).trim()).toBe('');
      }),
    );
  });

  it('[EV-01] a megabyte without any end is cut in linear time', () => {
    const before = performance.now();
    expect(splitSentences('word '.repeat(200_000)).length).toBeGreaterThan(500);
    expect(splitSentences('.'.repeat(300_000)).length).toBeGreaterThan(0);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
