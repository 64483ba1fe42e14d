import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import { codeOf, navigate, navigateAndRead, openBrowser, openSession } from '#tests/support/sites/browser-harness.ts';
import { openSite, openUdpCanary, type LocalSite, type Route } from '#tests/support/sites/local-site.ts';

const TEXT = 'An ordinary page with an ordinary sentence, so that there is something to read here.';

let site: LocalSite;
let canary: LocalSite;
let udp: Awaited<ReturnType<typeof openUdpCanary>>;
let browser: BrowserPort;
const asked = new Map<string, number>();

/** Names of the test: `rebind.test` answers with a public address first and with this machine afterwards. */
function resolve(hostname: string): Promise<readonly string[]> {
  asked.set(hostname, (asked.get(hostname) ?? 0) + 1);
  if (hostname === 'mixed.test') return Promise.resolve(['93.184.215.14', '10.0.0.7']);
  if (hostname === 'rebind.test') return Promise.resolve(asked.get(hostname) === 1 ? ['192.0.2.1'] : ['127.0.0.1']);
  return Promise.resolve(['127.0.0.1']);
}

function vectors(target: string, udpPort: number): Record<string, string> {
  const socket = target.replace('http:', 'ws:');
  const page = (extra: string): string => `<!doctype html><title>Vector</title><p>${TEXT}</p>${extra}`;
  return {
    '/image': page(`<img src="${target}/image">`),
    '/frame': page(`<iframe src="${target}/frame"></iframe>`),
    '/script': page(`<script src="${target}/script"></script><link rel=stylesheet href="${target}/css">`),
    '/fetch': page(
      `<script>fetch('${target}/fetch',{mode:'no-cors'}).catch(()=>0);navigator.sendBeacon('${target}/beacon','x')</script>`,
    ),
    '/socket': page(`<script>new WebSocket('${socket}/socket')</script>`),
    '/worker': page(
      `<script>new Worker(URL.createObjectURL(new Blob(["fetch('${target}/w',{mode:'no-cors'}).catch(()=>0);new WebSocket('${socket}/ws')"])))</script>`,
    ),
    '/prefetch': page(
      `<link rel=prefetch href="${target}/prefetch"><link rel=preload as=fetch href="${target}/preload"><script type=speculationrules>{"prefetch":[{"source":"list","urls":["${target}/spec"]}]}</script>`,
    ),
    '/popup': page(`<script>window.open('${target}/popup')</script>`),
    '/form': page(
      `<form id=f method=post action="${target}/form" target=x></form><iframe name=x></iframe><script>f.submit()</script>`,
    ),
    '/stun': page(
      `<script>const c=new RTCPeerConnection({iceServers:[{urls:'stun:127.0.0.1:${udpPort}'}]});c.createDataChannel('x');c.createOffer().then(o=>c.setLocalDescription(o))</script>`,
    ),
  };
}

beforeAll(async () => {
  canary = await openSite({ '*': '<p>the inner secret</p>' });
  udp = await openUdpCanary();
  const target = `http://127.0.0.1:${canary.port}`;
  const redirect =
    (location: string): Route =>
    (_request, response) =>
      void response.writeHead(302, { location }).end();
  site = await openSite({
    ...vectors(target, udp.port),
    '/plain': `<!doctype html><title>Plain</title><p>${TEXT}</p>`,
    '/redirect': redirect(`${target}/redirected`),
    '/redirect-name': redirect(`http://inner.test:${canary.port}/redirected`),
    '/meta': `<!doctype html><title>Meta</title><meta http-equiv=refresh content="0;url=${target}/meta"><p>${TEXT}</p>`,
    '/location': `<!doctype html><title>Location</title><p>${TEXT}</p><script>location.href='${target}/location'</script>`,
    '/file': `<!doctype html><title>File</title><p>${TEXT}</p><iframe src="file:///etc/hostname"></iframe><script>location.href='file:///etc/hostname'</script>`,
  });
  browser = openBrowser({ resolve, approvedDestinations: new Set([`site.test:${site.port}`]) });
  await openSession(browser, 's1');
}, 120_000);

afterAll(async () => {
  await browser.stop();
  udp.close();
  await Promise.all([site.close(), canary.close()]);
});

beforeEach(() => canary.hits.splice(0));

describe('egress', () => {
  it('[BR-07] a redirect to this machine is refused with its reason and never arrives', async () => {
    for (const path of ['/redirect', '/redirect-name']) {
      const opening = navigate(browser, 's1', site.origin() + path);
      await expect(opening).rejects.toThrow(/egress_refused.*this machine itself/u);
    }
    expect(canary.hits).toEqual([]);
  });

  it.each(['/image', '/frame', '/script', '/fetch', '/socket', '/worker', '/prefetch', '/popup', '/form', '/stun'])(
    '[BR-07] a page reaches nothing on this machine by %s',
    async (path) => {
      const { page } = await navigateAndRead(browser, 's1', site.origin() + path);
      expect(page.text).toContain(TEXT);
      expect(page.text).not.toContain('inner secret');
      expect(canary.hits).toEqual([]);
      expect(udp.packets()).toBe(0);
    },
  );

  it.each(['/meta', '/location', '/file'])(
    '[BR-07] a page that moves itself inside by %s is refused or stays',
    async (path) => {
      const code = await codeOf(navigateAndRead(browser, 's1', site.origin() + path));
      expect(['no failure', 'browser.egress_refused', 'browser.navigation_failed']).toContain(code);
      expect(canary.hits).toEqual([]);
    },
  );

  it('[BR-07] every spelling of an inner address is refused', async () => {
    const port = canary.port;
    const hosts = [
      '127.0.0.1',
      'localhost',
      'a.localhost',
      '0x7f.1',
      '2130706433',
      '127.1',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      'inner.test',
      '10.0.0.1',
      '100.64.0.1',
    ];
    for (const host of hosts)
      expect([host, await codeOf(navigate(browser, 's1', `http://${host}:${port}/`))]).toEqual([
        host,
        'browser.egress_refused',
      ]);
    for (const host of ['169.254.169.254', '127.0.0.1', 'inner.test']) {
      expect([host, await codeOf(navigate(browser, 's1', `https://${host}:${port}/`))]).toEqual([
        host,
        'browser.egress_refused',
      ]);
    }
    expect(canary.hits).toEqual([]);
  }, 120_000);

  it('[BR-07] a name is refused when any of its addresses is private', async () => {
    await expect(navigate(browser, 's1', 'http://mixed.test/')).rejects.toThrow(/egress_refused.*private network/u);
  });

  it('[BR-07] each connection dials the address that was judged, so a changed name gains nothing', async () => {
    await expect(navigate(browser, 's1', `http://rebind.test:${canary.port}/`)).rejects.toThrow(/egress_refused/u);
    await expect(navigate(browser, 's1', `http://rebind.test:${canary.port}/`)).rejects.toThrow(/egress_refused/u);
    expect(canary.hits).toEqual([]);
  });

  it('[BR-07] other schemes are refused before the browser sees them', async () => {
    for (const url of [
      'file:///etc/hostname',
      'data:text/html,x',
      'chrome://version',
      'javascript:1',
      'view-source:http://site.test/',
      'ftp://site.test/',
    ]) {
      expect([url, await codeOf(navigate(browser, 's1', url))]).toEqual([url, 'browser.egress_refused']);
    }
    expect(await codeOf(navigate(browser, 's1', 'http://user:word@site.test/'))).toBe('browser.egress_refused');
    expect(await codeOf(navigate(browser, 's1', 'no address'))).toBe('browser.not_dispatched');
  });

  it('[BR-07] after refusals the session still reads ordinary pages', async () => {
    expect((await navigateAndRead(browser, 's1', site.origin() + '/plain')).page.text).toContain(TEXT);
  });
});
