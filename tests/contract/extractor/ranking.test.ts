import { describe, expect, it } from 'vitest';
import { rankUnits } from '#actors/roles/extractor/ranking.ts';
import { selectAnswerUnits } from '#actors/roles/extractor/selection.ts';
import { unitsOf } from '#actors/roles/extractor/units.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

async function unitsOfHtml(source: string, body: string) {
  const html = `<!doctype html><html lang="en"><title>${source}</title><body><article><h1>${source}</h1>${body}</article></body></html>`;
  const raw = { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url: 'http://a.test/' };
  return unitsOf(await createReader().read(raw), source);
}

const RIVERS = `<p>The table compares five rivers of the plain.</p><table><tr><th>River</th><th>Length in km</th><th>Source</th></tr>
  <tr><td>Alder</td><td>120</td><td>Stone Hill</td></tr><tr><td>Brindle</td><td>311</td><td>Lake Oar</td></tr>
  <tr><td>Corrie</td><td>87</td><td>Stone Hill</td></tr></table>`;

describe('ranking of units', () => {
  it('[EV-03] a unit that repeats the question asks it and is never its answer', async () => {
    const units = await unitsOfHtml(
      'Help',
      '<p>Type a question, for example “How long is the Alder river?”. The Alder river is 120 km long.</p>',
    );
    const ranked = rankUnits('How long is the Alder river?', units);
    expect(ranked[0]?.unit.text).toBe('The Alder river is 120 km long.');
    expect(ranked.some(({ unit }) => unit.text.includes('for example'))).toBe(false);
  });

  it('[EV-01] a superlative asks for the extreme row of the column it names', async () => {
    const units = await unitsOfHtml('Rivers', RIVERS);
    expect(rankUnits('Which river has the greatest length?', units)[0]?.unit.text).toContain('Brindle');
    expect(rankUnits('Which river has the smallest length?', units)[0]?.unit.text).toContain('Corrie');
  });

  it('[EV-01] of two pages that say the same as well, the better ranked one comes first', async () => {
    const body = '<p>The Alder river is 120 km long.</p>';
    const units = [...(await unitsOfHtml('one', body)), ...(await unitsOfHtml('two', body))];
    const first = (sources: string[]) => rankUnits('How long is the Alder river?', units, { sources })[0]?.unit.source;
    expect(first(['one', 'two'])).toBe('one');
    expect(first(['two', 'one'])).toBe('two');
  });

  it('[RP-01] a question the page does not speak of selects nothing', async () => {
    const units = await unitsOfHtml('Rivers', RIVERS);
    const question = 'Which enzyme do otters share with lichens?';
    expect(
      selectAnswerUnits(rankUnits(question, units), { form: 'short_answer', maxUnits: 6, question, units }),
    ).toEqual([]);
  });
});
