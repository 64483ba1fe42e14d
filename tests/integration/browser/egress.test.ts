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

function everything(target: string, udpPort: number): string {
  const socket = target.replace('http:', 'ws:');
  return `<!doctype html><title>Everything</title><p>${TEXT}</p>
    <link rel=prefetch href="${target}/prefetch"><link rel=preload as=fetch href="${target}/preload">
    <link rel=stylesheet href="${target}/css"><script src="${target}/script"></script>
    <img src="${target}/image"><iframe src="${target}/frame"></iframe>
    <form id=f method=post action="${target}/form" target=x></form><iframe name=x></iframe>
    <script>
      const attempts = [
        () => fetch('${target}/fetch', { mode: 'no-cors' }).catch(() => 0),
        () => navigator.sendBeacon('${target}/beacon', 'x'),
        () => new WebSocket('${socket}/socket'),
        () => new Worker(URL.createObjectURL(new Blob(["new WebSocket('${socket}/worker')"]))),
        () => window.open('${target}/popup'),
        () => f.submit(),
        () => {
          const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }] });
          c.createDataChannel('x');
          c.createOffer().then((o) => c.setLocalDescription(o));
        },
      ];
      for (const attempt of attempts) try { attempt(); } catch {}
    </script>`;
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
    '/everything': everything(target, udp.port),
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

  // Each way out stands alone in the canary matrix; here a page with all of them is still read.
  it('[BR-07] a page that tries everything at once is read and reaches nothing on this machine', async () => {
    const { page } = await navigateAndRead(browser, 's1', site.origin() + '/everything');
    expect(page.text).toContain(TEXT);
    expect(page.text).not.toContain('inner secret');
    expect(canary.hits).toEqual([]);
    expect(udp.packets()).toBe(0);
  });

  it.each(['/meta', '/location', '/file'])(
    '[BR-07] a page that moves itself inside by %s is refused or stays',
    async (path) => {
      const code = await codeOf(navigateAndRead(browser, 's1', site.origin() + path));
      expect(['no failure', 'browser.egress_refused', 'browser.navigation_failed']).toContain(code);
      expect(canary.hits).toEqual([]);
    },
  );

  it('[BR-07] an inner address is refused, however it is spelled', async () => {
    const port = canary.port;
    const addresses = [
      `http://localhost:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `https://inner.test:${port}/`,
      'http://10.0.0.1/',
      'https://169.254.169.254/',
    ];
    for (const address of addresses) {
      expect([address, await codeOf(navigate(browser, 's1', address))]).toEqual([address, 'browser.egress_refused']);
    }
    expect(canary.hits).toEqual([]);
  });

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
