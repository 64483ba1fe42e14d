import { describe, expect, it } from 'vitest';
import { ReadPage } from '#contracts/research/page.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const reader = createReader();
const CODES = ['page.unreadable', 'page.too_large'];
const random = (size: number): Buffer => {
  let state = 42;
  return Buffer.from(
    Uint8Array.from({ length: size }, () => ((state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16) & 0xff),
  );
};

const HOSTILE: Readonly<Record<string, () => string | Uint8Array>> = {
  'a hundred thousand open elements': () => `<body>${'<div>'.repeat(100_000)}deep words`,
  'a hundred thousand open inline elements': () => `<p>${'<b><i>'.repeat(50_000)}deep words`,
  'nested tables': () => `${'<table><tr><td>'.repeat(3000)}deep words`,
  'nested lists': () => `${'<ul><li>a'.repeat(20_000)}`,
  'an attribute of ten megabytes': () => `<p class="${'x'.repeat(10_000_000)}">words</p>`,
  'a class of many words': () => `<p class="${'ad '.repeat(300_000)}">words</p>`,
  'a hundred thousand tags': () => `<p>words ${'<b>x</b>'.repeat(50_000)}</p>`,
  'six million tags': () => '<b>'.repeat(6_000_000),
  'nothing but angle brackets': () => '<'.repeat(2_000_000),
  'an unclosed comment': () => `<p>words</p><!-- ${'- '.repeat(2_000_000)}`,
  'an unclosed script': () => `<p>words</p><script>${'var a="<p>";'.repeat(200_000)}`,
  'null bytes': () => `<p>wo\0rds</p>\0\0\0<\0p>`,
  'nothing at all': () => '',
  'only white space': () => ' \n\t '.repeat(1000),
  'only scripts': () => '<script>document.write("x")</script>'.repeat(1000),
  'broken UTF-8': () => Buffer.concat([Buffer.from('<p>words '), random(100_000)]),
  'noise called HTML': () => random(1_000_000),
  'a broken PDF': () => `%PDF-1.7\n${'1 0 obj << /Kids [1 0 R] >> endobj\n'.repeat(1000)}`,
  'entities without end': () => `<p>${'&lt'.repeat(500_000)}&#99999999999;&unknown;</p>`,
  'one line of two megabytes': () => `<p>${'word, '.repeat(350_000)}</p>`,
  'many paragraphs of links': () => `<body>${'<p><a href=x>link</a> word, word.</p>'.repeat(30_000)}</body>`,
  'a table of a hundred thousand rows': () => `<table>${'<tr><td>1<td>2'.repeat(100_000)}</table>`,
  'spans that overlap': () => `<table>${'<tr><td rowspan=65534 colspan=1000>x'.repeat(2000)}</table>`,
  'a shop of twenty thousand goods': () =>
    `<h1>Lamps</h1><button>Add to cart</button><ul>${'<li class=card><a href=x>Lamp</a><b class=price>€ 5,00</b><i>SKU:</i><button>Buy now</button></li>'.repeat(20_000)}`,
  'a thread of thirty thousand posts': () => '<div class=post><time></time>words</div>'.repeat(30_000),
  'data in a script that never ends': () =>
    `<h1>Lamp</h1><button>Buy now</button>€ 5<script>price=${'[{a:'.repeat(100_000)}</script><script>price = ${'({a:[1,f(),'.repeat(50_000)}</script>`,
  'structured data that is none': () =>
    `<script type="application/ld+json">${'[{"@graph":'.repeat(5000)}</script><p>words</p>`,
  'marks that look like Markdown tables': () => `<pre>${'| --- '.repeat(100_000)}</pre>`,
};

describe('hostile pages', () => {
  for (const [name, make] of Object.entries(HOSTILE)) {
    it(`[BR-09] ${name}: a clean reading or a clear refusal, in time`, async () => {
      const source = make();
      const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
      const began = performance.now();
      try {
        const page = ReadPage.parse(await reader.read({ bytes, contentType: 'text/html', url: 'http://site.test/' }));
        for (const block of page.blocks) expect(page.text.slice(block.start, block.end)).toBe(block.text);
        if (page.text === '') expect(page.blocked).toBeDefined();
      } catch (error) {
        expect(CODES).toContain((error as { failure?: { code: string } }).failure?.code ?? String(error));
      }
      expect(performance.now() - began).toBeLessThan(10_000);
    }, 30_000);
  }

  it('[BR-09] Markdown and text of the same kind end as well', async () => {
    const sources = [
      '*'.repeat(200_000),
      '['.repeat(200_000),
      '| a '.repeat(100_000),
      '`'.repeat(200_000),
      '> '.repeat(100_000),
      '_a '.repeat(100_000),
      `${'a|b\n---|---\n'.repeat(20_000)}`,
      '<'.repeat(200_000),
      '**a'.repeat(60_000),
    ];
    for (const source of sources) {
      const began = performance.now();
      await reader.read({ bytes: new TextEncoder().encode(source), contentType: 'text/markdown', url: 'a.md' });
      expect([source.slice(0, 10), performance.now() - began < 5000]).toEqual([source.slice(0, 10), true]);
    }
  }, 60_000);

  it('[BR-09] more than twenty megabytes are refused', async () => {
    const reading = reader.read({ bytes: new Uint8Array(21 * 1024 * 1024), contentType: 'text/html', url: 'x' });
    await expect(reading).rejects.toThrow(/page\.too_large/u);
  });

  it('[BR-09] a text longer than the limit is cut at a block and said to be', async () => {
    const html = `<h1>x</h1>${`<p>${'word '.repeat(2000)}</p>`.repeat(300)}`;
    const page = await reader.read({ bytes: new TextEncoder().encode(html), contentType: 'text/html', url: 'x' });
    expect(page.text.length).toBeLessThanOrEqual(2_000_000);
    expect(page.unread.map(({ reason }) => reason).join()).toContain('truncated');
  }, 30_000);
});
