import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ReadPage } from '#contracts/research/page.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const DATA = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const reader = createReader();

function pagesOf(set: string): { name: string; html: () => string }[] {
  const root = join(DATA, set);
  if (!existsSync(root)) throw new Error(`${root} is missing; set YUNSOU_SKIP_SHARED_DATA=1 to go without`);
  const files = readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => /(?:source\.html|pages\/[^/]+\.html|\.html\.gz)$/u.test(name));
  return files.map((name) => ({
    name,
    html: () => {
      const bytes = readFileSync(join(root, name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    },
  }));
}

/** The first broken promise of a reading, '' when it keeps all of them. */
function brokenPromise(page: ReadPage): string {
  ReadPage.parse(page);
  let last = 0;
  for (const block of page.blocks) {
    if (page.text.slice(block.start, block.end) !== block.text) return `block at ${block.start} is not its text`;
    if (block.start < last) return `block at ${block.start} begins before the end of the one before`;
    if (block.text === '' || block.text.trim() !== block.text.trimEnd()) {
      if (block.kind !== 'code' && block.kind !== 'table_row' && block.kind !== 'table_header')
        return `block at ${block.start} begins or ends with white space`;
    }
    if (block.table !== undefined && page.tables[block.table.index]?.[block.table.row]?.join('\t') !== block.text)
      return `row at ${block.start} is not the row of its table`;
    last = block.end;
  }
  if (page.tables.some((table) => new Set(table.map((row) => row.length)).size > 1)) return 'a table is no rectangle';
  return page.blocks.map(({ text }) => text).join('').length > page.text.length ? 'blocks overlap' : '';
}

describe.skipIf(process.env['YUNSOU_SKIP_SHARED_DATA'] === '1')('pages of others', () => {
  it.each(['articles', 'products', 'tables', 'readability'])(
    '[EV-01] every block of every page stands at its offsets: %s',
    async (set) => {
      const pages = pagesOf(set);
      expect(pages.length).toBeGreaterThan(30);
      const broken: string[] = [];
      for (const { name, html } of pages) {
        const bytes = new TextEncoder().encode(`\ufeff${html()}`);
        const page = await reader.read({ bytes, contentType: 'text/html', url: 'http://site.test/page' });
        const promise = brokenPromise(page);
        if (promise !== '') broken.push(`${name}: ${promise}`);
      }
      expect(broken).toEqual([]);
    },
    120_000,
  );
});
