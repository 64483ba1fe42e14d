import { describe, expect, it } from 'vitest';
import type { ReadPage } from '#contracts/research/page.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const reader = createReader();
const sentence = (subject: string): string =>
  `${subject} was measured again in the spring, and the people who did it wrote down what they had seen, hour by hour, without a break.`;

function read(body: string): Promise<ReadPage> {
  const html = `<!doctype html><html lang="en"><head><title>A year at the weather station</title><meta property="og:type" content="article"></head><body>${body}</body></html>`;
  return reader.read({
    bytes: new TextEncoder().encode(html),
    contentType: 'text/html; charset=utf-8',
    url: 'http://site.test/story',
  });
}

const story = (...parts: string[]): string =>
  `<article><h1>A year at the weather station</h1><p>${sentence('The wind')}</p>${parts.join('')}<p>${sentence('The rain')}</p><p>${sentence('The snow')}</p></article>`;

async function textOf(...parts: string[]): Promise<string> {
  return (await read(story(...parts))).text;
}

describe('what belongs to an article', () => {
  it('[BR-09] a post of another site set into the text is a quotation', async () => {
    const text = await textOf(
      '<div class="social-media-embed"><blockquote class="tweet"><p>Storm over the bay right now <a href="https://x.test/1">x.test/1</a></p>— An Observer <a href="https://x.test/2">May 4, 2020</a></blockquote></div>',
    );
    expect(text).toContain('Storm over the bay right now');
  });

  it('[BR-09] a sentence under an unlucky name is kept, controls under the same name are not', async () => {
    const text = await textOf(
      '<div class="leafmedia"><p>Northport (The Paper) The station has stood on the cliff since 1871, and it still keeps its first barometer.</p></div>',
      '<div class="media-widget"><a href="/a">Charts</a> <a href="/b">Maps</a></div>',
    );
    expect(text).toContain('still keeps its first barometer');
    expect(text).not.toContain('Charts');
  });

  it('[BR-09] a story told in several sections is read as a whole', async () => {
    const section = (subject: string): string =>
      `<div class="shell"><div class="wrap"><div class="text-content"><p>${sentence(subject)}</p><p>${sentence(`${subject} of the south`)}</p><p>${sentence(`${subject} of the east`)}</p></div></div></div>`;
    const { text } = await read(
      `<div id="story"><h1>A year</h1>${section('The wind')}<figure><img src="a.png"></figure>${section('The rain')}${section('The snow')}</div><div class="foot"><a href="/x">Elsewhere</a></div>`,
    );
    for (const subject of ['The wind', 'The rain of the south', 'The snow of the east'])
      expect(text).toContain(subject);
  });

  it('[BR-09] a card that opens over a name is not part of its sentence', async () => {
    const text = await textOf(
      '<p>The keeper, <span><a href="/k">Ada Holt</a><span class="roll"><a href="/k">Ada Holt</a><a href="/1">Ten storms that she saw</a> <a href="/2">Her last report</a> <a href="/3">MORE</a></span></span>, left in June after a long winter of work.</p>',
    );
    expect(text).toContain('Ada Holt, left in June');
    expect(text).not.toContain('Ten storms');
  });

  it('[BR-09] words under pictures, advertisements and calls to subscribe between paragraphs are left out', async () => {
    const text = await textOf(
      '<p>The cliff in winter (Image: SOME AGENCY)</p>',
      '<p>In this May 4, 2019 file photo, the keeper looks at the sea from the upper deck.</p>',
      '<p>Anzeige</p>',
      '<p><a href="/more">Which storm was the worst of all?</a></p>',
      '<p>If you enjoyed this article, become a member of our club today.</p>',
      '<span class="hidden">station-2020-large.jpeg 1200 676 admin</span>',
    );
    expect(text).toBe(`${sentence('The wind')}\n\n${sentence('The rain')}\n\n${sentence('The snow')}`);
  });
});
