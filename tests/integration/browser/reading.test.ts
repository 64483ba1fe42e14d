import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import {
  codeOf,
  navigate,
  navigateAndRead,
  openBrowser,
  openSession,
  within,
} from '#tests/support/sites/browser-harness.ts';
import { openSite, type LocalSite } from '#tests/support/sites/local-site.ts';
import { tinyPdf } from '#tests/support/sites/tiny-pdf.ts';

const PARAGRAPH =
  'The lighthouse keeper wrote every evening, whatever the weather, how many ships had passed the cape.';
const page = (body: string, title = 'Ships') =>
  `<!doctype html><html lang="en"><title>${title}</title><body>${body}</body></html>`;
// "北京是中国的首都。人民共和国" in GBK
const GBK = Buffer.from('b1b1bea9cac7d6d0b9fab5c4cad7b6bca1a3c8cbc3f1b9b2bacdb9fa', 'hex');

let site: LocalSite;
let browser: BrowserPort;

beforeAll(async () => {
  site = await openSite({
    '/article': page(
      `<nav><a href="/">Home</a></nav><article><h1>Ships</h1><p>${PARAGRAPH}</p><p style="display:none">secret words</p></article>`,
    ),
    '/late': page(
      `<main id=m>Loading</main><script>setTimeout(()=>{m.innerHTML='<h1>Late</h1><p>${PARAGRAPH}</p>'},400)</script>`,
    ),
    '/moves-on': page(
      `<h1>Ships</h1><p>${PARAGRAPH}</p><p>${PARAGRAPH}</p><p>${PARAGRAPH}</p><p id=m>old words</p><script>setTimeout(()=>{m.textContent='new words';fetch('/moved-on')},1500)</script>`,
    ),
    '/moved-on': '',
    '/style': page(
      `<style>.gone{display:none} @media all{.away{visibility:hidden}}</style><h1>Seen</h1><p class=gone>hidden by sheet</p><p class=away>hidden by media</p><p>${PARAGRAPH}</p>`,
    ),
    '/frames': page(
      `<h1>Outer</h1><p>${PARAGRAPH}</p><iframe srcdoc="<p>words in a frame of the page</p>"></iframe><iframe src="http://other.test:1/x"></iframe>`,
    ),
    '/shadow': page(
      `<h1>Shadow</h1><p>${PARAGRAPH}</p><div id=o></div><div id=c></div><script>o.attachShadow({mode:'open'}).innerHTML='<p>open shadow words</p>';c.attachShadow({mode:'closed'}).innerHTML='<p>closed words</p>'</script>`,
    ),
    '/dialogs': page(
      `<h1>Asked</h1><p>${PARAGRAPH}</p><script>alert('one');if(confirm('two'))fetch('/deleted');prompt('three');window.open('/popup')</script>`,
    ),
    '/popup': page('<p>popup</p>'),
    '/gbk': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(Buffer.concat([Buffer.from('<title>x</title><p>'), GBK, GBK, GBK, Buffer.from('</p>')])),
    '/gbk-lie': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(Buffer.concat([Buffer.from('<title>x</title><p>'), GBK, GBK, GBK, Buffer.from('</p>')])),
    '/paper.pdf': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/pdf' })
        .end(tinyPdf(['The first line of the paper.', 'The second one.'])),
    '/notes.txt': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('First note.\n\nSecond note.'),
    '/picture.zip': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }).end('PK'),
    '/endless': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.write(`<title>Endless</title><h1>Endless</h1><p>${PARAGRAPH}</p>`);
    },
    '/reload': page(
      `<h1>Restless</h1><p>${PARAGRAPH}</p><script>setTimeout(()=>location.reload(),120)</script>`,
      'Restless',
    ),
    '/missing': (_request, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end(page(`<h1>Gone fishing</h1><p>${PARAGRAPH}</p>`)),
    '/auth': (_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end(),
    '/set': (request, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'set-cookie': `who=${new URL(request.url ?? '', 'http://x').searchParams.get('who')}`,
        })
        .end('<p>set</p>'),
    '/who': (request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<p>cookie is ${request.headers.cookie ?? 'none'}</p>`),
  });
  browser = openBrowser({
    resolve: () => Promise.resolve(['127.0.0.1']),
    approvedDestinations: new Set([`site.test:${site.port}`]),
    approvedOrigins: new Map([
      [
        'library.yunsou.internal',
        ({ path }) =>
          Promise.resolve({
            status: 200,
            headers: { 'content-type': 'text/html; charset=utf-8' },
            body: page(`<h1>Library</h1><p>You asked for ${path}.</p>`),
          }),
      ],
    ]),
  });
  await openSession(browser, 's1');
}, 120_000);

afterAll(async () => {
  await browser.stop();
  await site.close();
});

describe('reading in Chromium', () => {
  it('[BR-01] health starts the engine and loads a page', async () => {
    const health = await browser.health();
    expect(health).toMatchObject({ ok: true });
    expect(health.version).toMatch(/^\d+\./u);
  });

  it('[BR-09] an article is read with offsets that hold, without what is hidden', async () => {
    const { page: read, observation } = await navigateAndRead(browser, 's1', site.origin() + '/article');
    expect(read.text).toContain(PARAGRAPH);
    expect(read.text).not.toContain('secret words');
    for (const block of read.blocks) expect(read.text.slice(block.start, block.end)).toBe(block.text);
    expect(observation).toMatchObject({ httpStatus: 200, finalUrl: site.origin() + '/article', title: 'Ships' });
    expect(read.unread.some(({ reason }) => reason.includes('hidden'))).toBe(true);
  });

  it('[BR-09] an internal page is answered in the process', async () => {
    const { page: read } = await navigateAndRead(browser, 's1', 'http://library.yunsou.internal/help/first.html');
    expect(read.text).toContain('You asked for /help/first.html.');
  });

  it('[BR-09] text that scripts add is waited for', async () => {
    expect((await navigateAndRead(browser, 's1', site.origin() + '/late')).page.text).toContain(PARAGRAPH);
  });

  it('[BR-09] what style sheets hide is not read', async () => {
    const { page: read } = await navigateAndRead(browser, 's1', site.origin() + '/style');
    expect(read.text).toContain(PARAGRAPH);
    expect(read.text).not.toMatch(/hidden by/u);
  });

  it('[BR-09] a page that changed after it was opened is read as it is now', async () => {
    await openSession(browser, 'moves-on');
    const { observation } = await navigate(browser, 'moves-on', `${site.origin()}/moves-on`);
    await expect.poll(() => site.hits, { timeout: 10_000 }).toContain('GET /moved-on');
    const { documentGeneration } = observation;
    const { page: read } = await browser.read(
      'moves-on',
      { kind: 'read', actionId: 'a2', documentGeneration },
      within(),
    );
    expect(read.text).toContain('new words');
    expect(read.text).not.toContain('old words');
  });

  it('[BR-09] frames of the page are read, other ones are named as unread', async () => {
    const { page: read } = await navigateAndRead(browser, 's1', site.origin() + '/frames');
    expect(read.text).toContain('words in a frame of the page');
    expect(read.unread.map(({ reason }) => reason).join()).toContain('frame of another origin');
  });

  it('[BR-09] open shadow trees are read, closed ones are named as unread', async () => {
    const { page: read } = await navigateAndRead(browser, 's1', site.origin() + '/shadow');
    expect(read.text).toContain('open shadow words');
    expect(read.unread.map(({ reason }) => reason)).toContain('closed shadow tree');
  });

  it('[BR-08] dialogs are dismissed and windows closed without asking the page to do anything', async () => {
    const { page: read } = await navigateAndRead(browser, 's1', site.origin() + '/dialogs');
    expect(read.text).toContain(PARAGRAPH);
    expect(site.hits).not.toContain('GET /deleted');
  });

  it('[BR-09] GBK is read, with no charset and with a header that lies', async () => {
    for (const path of ['/gbk', '/gbk-lie']) {
      expect((await navigateAndRead(browser, 's1', site.origin() + path)).page.text).toContain('北京是中国的首都。');
    }
  });

  it('[BR-09] a PDF and a text are read from the bytes that the browser got', async () => {
    const { page: paper, observation } = await navigateAndRead(browser, 's1', site.origin() + '/paper.pdf');
    expect(paper).toMatchObject({ page_kind: 'pdf', text: 'The first line of the paper.\n\nThe second one.' });
    expect(paper.blocks[0]).toMatchObject({ page: 1 });
    expect(observation.contentType).toBe('application/pdf');
    expect((await navigateAndRead(browser, 's1', site.origin() + '/notes.txt')).page.text).toBe(
      'First note.\n\nSecond note.',
    );
  });

  it('[BR-09] a file that is not read is refused by its type', async () => {
    expect(await codeOf(navigate(browser, 's1', site.origin() + '/picture.zip'))).toBe('page.unreadable');
    expect((await navigateAndRead(browser, 's1', site.origin() + '/article')).page.text).toContain(PARAGRAPH);
  });

  it('[BR-05] a response that never ends is read as far as it came', async () => {
    expect((await navigateAndRead(browser, 's1', site.origin() + '/endless')).page.text).toContain(PARAGRAPH);
  });

  it('[BR-05] a page that keeps reloading is held and read', async () => {
    const { page: read } = await navigateAndRead(browser, 's1', site.origin() + '/reload');
    expect(read.text).toContain(PARAGRAPH);
  });

  it('[BR-03] a document that is gone is not read by its old generation', async () => {
    const { observation } = await navigate(browser, 's1', site.origin() + '/article');
    await navigate(browser, 's1', site.origin() + '/style');
    const old = { kind: 'read', actionId: 'x', documentGeneration: observation.documentGeneration } as const;
    expect(await codeOf(browser.read('s1', old, within()))).toBe('browser.not_dispatched');
  });

  it('[BR-08] an error status and a demand for a password are no content', async () => {
    const { page: read } = await navigateAndRead(browser, 's1', site.origin() + '/missing');
    expect(read).toMatchObject({ page_kind: 'soft_404', blocked: 'The site answered with the status 404.' });
    const { page: asked } = await navigateAndRead(browser, 's1', site.origin() + '/auth');
    expect(asked).toMatchObject({ page_kind: 'login', blocked: 'The site answered with the status 401.' });
  });

  it('[BR-02] two sessions overlap and share no cookies', async () => {
    await Promise.all([openSession(browser, 'a'), openSession(browser, 'b')]);
    await Promise.all([
      navigate(browser, 'a', site.origin() + '/set?who=A'),
      navigate(browser, 'b', site.origin() + '/set?who=B'),
    ]);
    const [a, b] = await Promise.all([
      navigateAndRead(browser, 'a', site.origin() + '/who'),
      navigateAndRead(browser, 'b', site.origin() + '/who'),
    ]);
    expect([a.page.text, b.page.text]).toEqual(['cookie is who=A', 'cookie is who=B']);
    await Promise.all([browser.closeSession('a'), browser.closeSession('b')]);
  });

  it('[BR-05] a picture of the observed document is taken', async () => {
    const { observation } = await navigate(browser, 's1', site.origin() + '/article');
    const picture = await browser.screenshot(
      's1',
      { kind: 'screenshot', actionId: 'p', documentGeneration: observation.documentGeneration },
      within(),
    );
    expect(Buffer.from(picture.subarray(1, 4)).toString()).toBe('PNG');
  });
});
