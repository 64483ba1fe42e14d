import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Control, PageObservation } from '#contracts/browser/observation.ts';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import { navigate, openBrowser, openSession, within } from '#tests/support/sites/browser-harness.ts';
import { openSite, type LocalSite } from '#tests/support/sites/local-site.ts';

const page = (body: string, title = 'Page') =>
  `<!doctype html><html lang="en"><title>${title}</title><body>${body}</body></html>`;
const HOSTS = ['site.test', 'other.test', 'third.test'];

let site: LocalSite;
let browser: BrowserPort;

beforeAll(async () => {
  site = await openSite({
    '/controls': page(`
      <h1>Harbour</h1>
      <ul><li><span>Row 1</span><a href="/one?x=1">Details</a></li><li><span>Row 2</span><a href="/two">Details</a></li></ul>
      <form action="/find"><label for=q>Words</label><input id=q name=q value="gulls"><button>Search</button></form>
      <form action="/send" method=post><input name=comment><input type=submit value="Post comment"></form>
      <form action="/in" method=post><input type=password name=secret value=hunter2><input autocomplete=cc-number value=4111111111111111></form>
      <a href="javascript:alert(1)">Trick</a><a href="/cart/add?id=7">More about it</a><a href="/delete/7">Delete the page</a>
      <button>Load more</button><button onclick="x()">Frobnicate</button><button disabled>Next</button>
      <select><option>Gull<option selected>Tern</select><input type=checkbox checked aria-label="Only new">`),
    '/looks': page(`
      <p id=seen>plain words</p>
      <p style="opacity:0">words without ink</p><p style="color:#fff;background:#fff">white on white</p>
      <p style="position:absolute;left:-5000px">words far left</p><p style="font-size:1px">words too small</p>
      <p aria-hidden=true>words for nobody's ears</p><p style="display:none">not there</p><p style="visibility:hidden">nor this</p>
      <div style="position:relative;height:40px"><p>words below a lid</p><div style="position:absolute;inset:0;background:#000;height:60px"></div></div>
      <div style="position:absolute;width:1px;height:1px;overflow:hidden">words in one dot</div>`),
    '/nest': page(
      '<p>first token outer</p><iframe src="http://other.test:PORT/nest2" width=500 height=400></iframe><iframe srcdoc="<p>token of srcdoc</p>"></iframe><iframe sandbox src="http://site.test:PORT/leaf?s"></iframe>',
    ),
    '/nest2': page('<p>token of second</p><iframe src="http://site.test:PORT/nest3" width=400 height=300></iframe>'),
    '/nest3': page('<p>token of third</p><iframe src="http://third.test:PORT/leaf" width=300 height=200></iframe>'),
    '/leaf': page('<p>token of leaf</p><a href="/deep">Deep link</a>'),
    '/unread': page(
      `<p>Outside</p><div id=o></div><div id=c></div><canvas width=400 height=300></canvas><script>o.attachShadow({mode:'open'}).innerHTML='<p>open words</p><button>Show more</button>';c.attachShadow({mode:'closed'}).innerHTML='<p>closed words</p>'</script>`,
    ),
    '/huge': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.write('<!doctype html><title>Huge</title><table>');
      for (let row = 0; row < 20_000; row += 1)
        response.write(`<tr><td>Row ${row}</td><td>${row * 7}</td><td><a href="/r/${row}">Open</a></td></tr>`);
      response.end('</table>');
    },
    '/route': page(`<p>one page</p><script>history.pushState({},'','/route/inner')</script>`),
    '/tamper': page(
      `<p>honest words</p><script>window.getComputedStyle=()=>({display:'none'});Element.prototype.getBoundingClientRect=()=>({});Node.prototype.contains=()=>{throw 1};Array.prototype.push=()=>0;JSON.stringify=()=>'x';document.createRange=()=>null</script>`,
    ),
    '/pay': page('<form><input name=cardnumber></form>'),
    '/pay-framed': page('<p>shop</p><iframe src="http://other.test:PORT/pay"></iframe>'),
    '/login': page('<form><input type=password></form>'),
    '/code': page('<form><input autocomplete=one-time-code></form>'),
    '/late-login': page(
      '<p>calm</p><script>setTimeout(()=>document.body.innerHTML="<input type=password>",0)</script>',
    ),
  });
  browser = openBrowser({
    resolve: () => Promise.resolve(['127.0.0.1']),
    approvedDestinations: new Set(HOSTS.map((host) => `${host}:${site.port}`)),
  });
  await openSession(browser, 's1');
}, 120_000);

afterAll(async () => {
  await browser.stop();
  await site.close();
});

async function observe(path: string): Promise<PageObservation> {
  await navigate(browser, 's1', site.origin() + path);
  return browser.observe('s1', within());
}
const controls = ({ items }: PageObservation) => items.filter((item): item is Control => item.kind === 'control');
const looks = ({ items }: PageObservation) =>
  Object.fromEntries(items.flatMap((item) => (item.kind === 'text' ? [[item.text, item.visibility]] : [])));

describe('observing a page', () => {
  it('[BR-03] controls carry what they mean, and a handle of this observation', async () => {
    const seen = await observe('/controls');
    const [first, second] = controls(seen).filter(({ name }) => name === 'Details');
    expect(first).toMatchObject({ role: 'link', row: 'Row 1 Details', href: site.origin() + '/one?x=1' });
    expect(second).toMatchObject({ row: 'Row 2 Details' });
    expect(first?.handle).not.toBe(second?.handle);
    const words = controls(seen).find(({ name }) => name === 'Words');
    expect(words).toMatchObject({ role: 'textbox', value: 'gulls', form: { method: 'get' }, actions: ['input'] });
    expect(controls(seen).find(({ role }) => role === 'combobox')).toMatchObject({ value: 'Tern' });
    expect(controls(seen).find(({ role }) => role === 'checkbox')).toMatchObject({ is_checked: true });
    expect(JSON.stringify(seen)).not.toMatch(/selector|xpath/iu);
    const again = await browser.observe('s1', within());
    expect(controls(again).map(({ handle }) => handle)).not.toContain(first?.handle);
    expect(again.document_generation).toBe(seen.document_generation);
  });

  it('[BR-08] what sends, buys, deletes, uploads or cannot be told is refused with a reason; searches and more are not', async () => {
    const seen = await observe('/controls');
    const verdicts = Object.fromEntries(controls(seen).map(({ name, allowance }) => [name, allowance.verdict]));
    expect(verdicts).toMatchObject({
      Details: 'allowed',
      Words: 'allowed',
      Search: 'allowed',
      'Load more': 'allowed',
      'Post comment': 'refused',
      Trick: 'refused',
      'More about it': 'refused',
      'Delete the page': 'refused',
      Frobnicate: 'refused',
      Next: 'refused',
      secret: 'refused',
    });
    for (const { allowance } of controls(seen))
      if (allowance.verdict === 'refused') expect(allowance.reason).toMatch(/\w+ \w+/u);
  });

  it('[BR-03] secrets never leave the page', async () => {
    const text = JSON.stringify(await observe('/controls'));
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('4111');
    expect(text).toContain('•••');
  });

  it('[BR-08] each text run says how it can be seen', async () => {
    expect(looks(await observe('/looks'))).toEqual({
      'plain words': 'visible',
      'words without ink': 'transparent',
      'white on white': 'transparent',
      'words far left': 'off_screen',
      'words too small': 'tiny',
      "words for nobody's ears": 'aria_hidden',
      'words below a lid': 'covered',
      'words in one dot': 'tiny',
    });
  });

  it('[BR-09] frames of any origin and depth are observed, each under its origin', async () => {
    const seen = await observe('/nest');
    const texts = seen.items.flatMap((item) => (item.kind === 'text' ? [item] : []));
    for (const token of ['outer', 'second', 'third', 'leaf', 'srcdoc'])
      expect(texts.map(({ text }) => text).join('|')).toContain(token);
    const leaf = texts.find(
      ({ text, frame }) => text === 'token of leaf' && seen.frames[frame]?.origin.includes('third'),
    );
    expect(leaf).toBeDefined();
    const origins = seen.frames.map(({ origin }) => origin);
    expect(origins).toContain(`http://other.test:${site.port}`);
    let depth = 0;
    for (let at: number | null = leaf?.frame ?? null; at !== null; at = seen.frames[at]?.parent ?? null) depth += 1;
    expect(depth).toBe(4);
  });

  it('[BR-09] open shadow trees are observed; closed ones and canvases are named as unread', async () => {
    const seen = await observe('/unread');
    expect(Object.keys(looks(seen))).toContain('open words');
    expect(controls(seen).map(({ name }) => name)).toEqual(['Show more']);
    expect(JSON.stringify(seen)).not.toContain('closed words');
    expect(seen.unread.map(({ reason }) => reason).join()).toMatch(/canvas.*closed shadow tree \(1\)/u);
  });

  it('[BR-03] a page of 20,000 rows takes bounded time and gives a bounded observation that says how much more there is', async () => {
    await openSession(browser, 'huge');
    await navigate(browser, 'huge', site.origin() + '/huge');
    const began = performance.now();
    const seen = await browser.observe('huge', within());
    await browser.closeSession('huge');
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(JSON.stringify(seen).length).toBeLessThan(250_000);
    expect(controls(seen).length + seen.more.controls).toBe(20_000);
    expect(seen.more.texts).toBeGreaterThan(30_000);
  });

  it('[BR-03] a route change keeps the document generation and counts the route', async () => {
    const before = await observe('/looks');
    const seen = await observe('/route');
    expect(seen.final_url).toBe(site.origin() + '/route/inner');
    expect(seen.document_generation).not.toBe(before.document_generation);
    expect(seen.route_generation).toBe(before.route_generation + 1);
  });

  it('[BR-08] what a page puts over the methods of its document does not change what is seen', async () => {
    expect(looks(await observe('/tamper'))).toMatchObject({ 'honest words': 'visible' });
  });
});

describe('pictures for looking on', () => {
  it('[VW-02] a frame carries its generation and time', async () => {
    const seen = await observe('/looks');
    const frame = await browser.captureFrame('s1');
    expect(frame).toMatchObject({
      kind: 'frame',
      documentGeneration: seen.document_generation,
      width: 1280,
      title: 'Page',
    });
    if (frame?.kind !== 'frame') throw new Error('no frame');
    expect([...frame.bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    expect(Math.abs(frame.capturedAtMs - Date.now())).toBeLessThan(60_000);
  });

  it.each([
    ['/login', 'password'],
    ['/pay', 'payment'],
    ['/pay-framed', 'payment'],
    ['/code', 'one_time_code'],
  ])('[VW-04] %s gives no frame', async (path, reason) => {
    await navigate(browser, 's1', site.origin() + path);
    const frame = await browser.captureFrame('s1');
    expect(frame).toMatchObject({ kind: 'withheld', reason });
    expect(frame).not.toHaveProperty('bytes');
  });

  it('[VW-04] a field that comes while the picture is taken leaves no frame', async () => {
    await navigate(browser, 's1', site.origin() + '/late-login');
    expect(await browser.captureFrame('s1')).toMatchObject({ kind: 'withheld', reason: 'password' });
  });

  it('[VW-01] it waits for no action, and says nothing of sessions that are not here', async () => {
    await openSession(browser, 'looking');
    expect(await browser.captureFrame('looking')).toMatchObject({ kind: 'withheld', reason: 'no_page' });
    expect(await browser.captureFrame('nobody')).toBeNull();
    await browser.closeSession('looking');
  });
});
