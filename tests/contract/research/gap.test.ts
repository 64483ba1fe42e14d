import { describe, expect, it } from 'vitest';
import { Gap, gapOf } from '#contracts/research/evidence.ts';

describe('gaps', () => {
  it('[EV-04] a gap of a question of any length is a gap', () => {
    for (const what of ['x', 'x'.repeat(1000), 'x'.repeat(20_000), '🗼'.repeat(600)]) {
      expect(Gap.parse(gapOf(what, 'not_found')).what).toMatch(/^(?:x|🗼)+…?$/u);
    }
  });

  it('[EV-04] a short question is named word for word', () => {
    expect(gapOf('How tall is it?', 'not_found')).toEqual({ what: 'How tall is it?', reason: 'not_found' });
  });
});
