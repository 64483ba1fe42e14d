import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Block } from '#contracts/research/page.ts';
import { layOutSource, type Segment, type SourceLayout } from '#client/panels/source-model.ts';

const segmentsOf = (layout: SourceLayout): readonly Segment[] =>
  layout.parts.flatMap((part) => ('block' in part ? part.block.segments : part.gap));
const joined = (segments: readonly Segment[]): string => segments.map((one) => one.text).join('');

const block = (text: string, start: number, end: number): Block => ({
  kind: 'paragraph',
  text: text.slice(start, end),
  start,
  end,
});

it('[EV-03] the marked text is the quote and the whole text stays as it was read', () => {
  const text = 'Heading\nFirst sentence. Second sentence.\nA\tB\tC\nend';
  const blocks = [block(text, 0, 7), block(text, 8, 40), block(text, 41, 46), block(text, 47, 50)];
  const start = text.indexOf('Second');
  const layout = layOutSource(text, blocks, [{ start, end: 46, active: true }]);
  expect(joined(segmentsOf(layout))).toBe(text);
  expect(joined(segmentsOf(layout).filter((one) => one.mark === 'active'))).toBe(text.slice(start, 46));
});

it('[EV-03] any blocks and any marks leave the text and the quote exact', () => {
  const cases = fc
    .tuple(
      fc.string({ maxLength: 120, unit: 'grapheme' }),
      fc.array(fc.tuple(fc.nat(120), fc.nat(120)), { maxLength: 8 }),
    )
    .map(([text, pairs]) => ({ text, pairs: pairs.map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const) }));
  fc.assert(
    fc.property(cases, fc.nat(120), fc.nat(120), ({ text, pairs }, a, b) => {
      const [start, end] = [Math.min(a, b, text.length), Math.min(Math.max(a, b), text.length)];
      const blocks = pairs.map(([from, to]) => block(text, from, to));
      const layout = layOutSource(text, blocks, start < end ? [{ start, end, active: true }] : []);
      expect(joined(segmentsOf(layout))).toBe(text);
      expect(joined(segmentsOf(layout).filter((one) => one.mark === 'active'))).toBe(text.slice(start, end));
    }),
  );
});

it('[EV-03] a very long text is cut around the quote and says so', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
  const text = lines.join('\n');
  const start = text.indexOf('line 4000');
  const layout = layOutSource(text, [], [{ start, end: start + 9, active: true }]);
  expect(layout.cut).toBe(true);
  expect(layout.parts.length).toBeLessThan(1300);
  expect(joined(segmentsOf(layout).filter((one) => one.mark === 'active'))).toBe('line 4000');
  expect(layOutSource(text, [], [{ start, end: start + 9, active: true }], true).cut).toBe(false);
});
