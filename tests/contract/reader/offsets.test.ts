import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadPage } from '#contracts/research/page.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const DATA = new URL('../../../../shared/data/', import.meta.url);
const reader = createReader();

async function readHtml(html: string): Promise<ReadPage> {
  return reader.read({
    bytes: new TextEncoder().encode(html),
    contentType: 'text/html; charset=utf-8',
    url: 'http://site.test/page',
  });
}

/** What everything that quotes from a page relies on. */
function expectTrueOffsets(page: ReadPage): void {
  ReadPage.parse(page);
  let last = 0;
  for (const block of page.blocks) {
    expect(page.text.slice(block.start, block.end)).toBe(block.text);
    expect(block.start).toBeGreaterThanOrEqual(last);
    last = block.end;
    if (block.table !== undefined)
      expect(page.tables[block.table.index]?.[block.table.row]?.join('\t')).toBe(block.text);
  }
}

const node: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.string({ maxLength: 30 }).map((text) => text.replaceAll('<', '&lt;')),
    fc.constantFrom('北京是中国的首都。', '&nbsp;', '<br>', '<hr>', '😀', 'e\u0301'),
    fc
      .tuple(
        fc.constantFrom('p', 'div', 'b', 'li', 'h2', 'td', 'tr', 'table', 'ul', 'pre', 'dd', 'section', 'a', 'sup'),
        fc.array(tie('node'), { maxLength: 4 }),
      )
      .map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag}>`),
  ),
})).node;

describe('offsets', () => {
  it('[EV-01] text.slice(start, end) is the block for any markup', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(node, { maxLength: 12 }), async (parts) =>
        expectTrueOffsets(await readHtml(`<body>${parts.join('')}</body>`)),
      ),
      { numRuns: 150 },
    );
  });

  it('[EV-01] the same bytes give the same reading', async () => {
    const html =
      '<title>A title of a page</title><h1>A</h1><p>Some words, and more of them.</p><table><tr><th>a<th>b<tr><td>1<td>2</table>';
    expect(await readHtml(html)).toEqual(await readHtml(html));
  });

  it.skipIf(process.env['YUNSOU_SKIP_SHARED_DATA'] === '1')(
    '[EV-01] offsets hold and every table is in the text on pages of others',
    async () => {
      const folder = new URL('tables/pages/', DATA);
      expect(existsSync(folder), `${folder.pathname} is missing; set YUNSOU_SKIP_SHARED_DATA=1 to go without`).toBe(
        true,
      );
      for (const name of readdirSync(folder).slice(0, 12)) {
        const page = await readHtml(readFileSync(new URL(name, folder), 'utf8'));
        expectTrueOffsets(page);
        expect(page.tables.length).toBeGreaterThan(0);
      }
      const articles = new URL('articles/html/', DATA);
      for (const name of readdirSync(articles).slice(0, 8))
        expectTrueOffsets(await readHtml(gunzipSync(readFileSync(new URL(name, articles))).toString('utf8')));
    },
    60_000,
  );
});
