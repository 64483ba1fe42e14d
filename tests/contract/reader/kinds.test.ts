import { describe, expect, it } from 'vitest';
import type { ReadPage } from '#contracts/research/page.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const reader = createReader();

function read(body: string): Promise<ReadPage> {
  return reader.read({
    bytes: new TextEncoder().encode(`<!doctype html><html lang="en"><title>Boats</title><body>${body}</body></html>`),
    contentType: 'text/html; charset=utf-8',
    url: 'http://site.test/boats',
  });
}

const lines = (page: ReadPage): string[] => page.blocks.map(({ kind, text }) => `${kind}: ${text}`);

describe('pages that are no articles', () => {
  it('[BR-09] a thread keeps every contribution with who wrote it, and none of the controls', async () => {
    const post = (author: string, text: string): string =>
      `<div class="post"><div class="author">${author}, 4 May</div><div class="body"><p>${text}</p></div><div class="share">Share Report</div><form><textarea></textarea><button>Reply</button></form></div>`;
    const page = await read(
      `<nav><a href="/">Board</a></nav><h1>Which varnish lasts?</h1><div id="comments" class="thread">${[
        post('ada', 'My boat lies in salt water all year, and after two summers the varnish was gone completely.'),
        post('bob', 'Mine has had seven coats, which took a week, and it still looks as it did on the first day.'),
        post('cyd', 'Whatever you buy, keep it out of the sun for three days before the boat goes back to the water.'),
      ].join('')}</div><footer>© Board</footer>`,
    );
    expect(page.page_kind).toBe('forum');
    expect(lines(page)[0]).toBe('heading: Which varnish lasts?');
    for (const part of [
      'ada, 4 May',
      'gone completely',
      'bob, 4 May',
      'seven coats',
      'cyd, 4 May',
      'three days before',
    ])
      expect(page.text).toContain(part);
    for (const part of ['Share', 'Reply', 'Board']) expect(page.text).not.toContain(part);
  });

  it('[BR-09] an entry of a listing is one block, so that its price stands with its name', async () => {
    const entry = (name: string, price: string): string =>
      `<div class="card"><h3><a href="/${name}">${name} sailing dinghy</a></h3><div><a href="/${name}#p">${price}</a></div></div>`;
    const page = await read(
      `<nav><a href="/">Home</a></nav><main><h1>Boats</h1><div class="grid">${entry('Alder', '900 EUR')}${entry('Birch', '1200 EUR')}${entry('Cedar', '1500 EUR')}${entry('Elm', '1750 EUR')}</div></main>`,
    );
    expect(page.page_kind).toBe('listing');
    expect(lines(page)).toEqual([
      'heading: Boats',
      'list_item: Alder sailing dinghy\n900 EUR',
      'list_item: Birch sailing dinghy\n1200 EUR',
      'list_item: Cedar sailing dinghy\n1500 EUR',
      'list_item: Elm sailing dinghy\n1750 EUR',
    ]);
    for (const block of page.blocks) expect(page.text.slice(block.start, block.end)).toBe(block.text);
  });
});
