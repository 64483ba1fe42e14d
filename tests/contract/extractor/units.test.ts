import { describe, expect, it } from 'vitest';
import { rankUnits } from '#actors/roles/extractor/ranking.ts';
import { selectAnswerUnits } from '#actors/roles/extractor/selection.ts';
import { unitsOf, type Unit } from '#actors/roles/extractor/units.ts';
import type { RawPage } from '#contracts/ports/reader.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const HTML = `<!doctype html><html lang="en"><head><title>Ferries of the lake</title></head><body><article>
<h1>Ferries of the lake</h1><p>The lake has three ferries. Dr. Moor designed two of them in 1931.</p>
<h2>Fleet</h2><table><caption>Ships in service</caption>
<tr><th>Ship</th><th>Built</th><th>Passengers</th><th>Home port</th></tr>
<tr><td>Aurora</td><td>1931</td><td>220</td><td>Northhaven</td></tr>
<tr><td>Borealis</td><td>1958</td><td>1,150</td><td>Easthaven</td></tr>
<tr><td>Corona</td><td>1987</td><td>480</td><td>Westhaven</td></tr></table>
<h2>Buying a ticket</h2><p>To buy a ticket:</p>
<ol><li>Open the harbour page.</li><li>Choose a ship and a day.</li><li>Pay with a card.</li></ol>
<dl><dt>Day pass</dt><dd>A day pass is a ticket that is valid on every ship for one calendar day.</dd></dl>
</article></body></html>`;

async function units(html = HTML): Promise<{ units: Unit[]; text: string }> {
  const raw: RawPage = {
    bytes: new TextEncoder().encode(html),
    contentType: 'text/html',
    url: 'http://x.test/ferries',
  };
  const page = await createReader().read(raw);
  return { units: unitsOf(page, 'page'), text: page.text };
}

async function ask(question: string, form: 'short_answer' | 'report' = 'short_answer'): Promise<string[]> {
  const found = await units();
  const ranked = rankUnits(question, found.units);
  return selectAnswerUnits(ranked, { form, maxUnits: 6, question, units: found.units }).map(({ unit }) => unit.text);
}

describe('unitsOf', () => {
  it('[EV-01] every unit stands in the text at its offsets, in order', async () => {
    const found = await units();
    expect(found.units.length).toBeGreaterThan(8);
    for (const unit of found.units) expect(found.text.slice(unit.start, unit.end)).toBe(unit.text);
    const starts = found.units.map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  it('[EV-01] a table row knows its header, its caption and its heading', async () => {
    const row = (await units()).units.find(({ text }) => text.startsWith('Borealis'));
    expect(row?.kind).toBe('row');
    expect(row?.row?.header).toEqual(['Ship', 'Built', 'Passengers', 'Home port']);
    expect(row?.row?.cells[2]).toBe('1,150');
    expect(row?.context).toBe('Ships in service');
    expect(row?.headings.at(-1)).toBe('Fleet');
  });

  it('[EV-01] a list item carries its lead-in, a definition its term', async () => {
    const found = (await units()).units;
    const item = found.find(({ text }) => text.startsWith('Choose a ship'));
    expect([item?.kind, item?.context]).toEqual(['item', 'To buy a ticket:']);
    expect(found.find(({ kind }) => kind === 'definition')?.text).toMatch(/^Day pass\nA day pass is a ticket/);
  });
});

describe('rankUnits', () => {
  it('[EV-01] superlatives, orders and neighbours point at rows by the table’s values', async () => {
    expect((await ask('Which ship carries the most passengers?'))[0]).toMatch(/^Borealis/);
    expect((await ask('Which ship carries the fewest passengers?'))[0]).toMatch(/^Aurora/);
    expect((await ask('Which ship was built last?'))[0]).toMatch(/^Corona/);
    expect((await ask('Which ship comes after Borealis in the table?')).slice(0, 2).join('\n')).toMatch(/^Corona/m);
  });

  it('[EV-01] the row or sentence that holds the answer comes first', async () => {
    expect((await ask('What is the home port of Corona?'))[0]).toMatch(/Westhaven/);
    expect((await ask('Who designed the ferries?'))[0]).toMatch(/Dr\. Moor/);
    expect((await ask('What is a day pass?'))[0]).toMatch(/valid on every ship/);
  });

  it('[EV-01] the same question over the same units gives the same order', async () => {
    const found = (await units()).units;
    const once = rankUnits('Which ship was built in 1958?', found);
    expect(rankUnits('Which ship was built in 1958?', [...found])).toEqual(once);
  });

  it('[EV-01] repeated units are ranked once', async () => {
    const found = (await units()).units;
    const copies = found.map((unit) => ({ ...unit, source: 'copy' }));
    const texts = rankUnits('home port ship', [...found, ...copies]).map(({ unit }) => unit.text);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('selectAnswerUnits', () => {
  it('[EV-01] a procedure comes whole and in order, its lead-in first', async () => {
    const chosen = await ask('How do I buy a ticket?');
    expect(chosen.slice(0, 4)).toEqual([
      'To buy a ticket:',
      'Open the harbour page.',
      'Choose a ship and a day.',
      'Pay with a card.',
    ]);
  });

  it('[EV-03] a question the page does not speak of gets nothing', async () => {
    for (const question of [
      'What is the capital of Mongolia?',
      'Who designed the Eiffel Tower?',
      '谁写了红楼梦?',
      'How do I bake bread?',
      '',
    ]) {
      expect(await ask(question), question).toEqual([]);
    }
  });
});
