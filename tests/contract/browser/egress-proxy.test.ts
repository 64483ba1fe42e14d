import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { EgressOptions } from '#runtime/providers/browser/egress/egress-proxy.ts';
import { openSite, type LocalSite } from '#tests/support/sites/local-site.ts';
import { askProxy, basic, startProxy } from '#tests/support/sites/proxy-client.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function setUp(options: (site: LocalSite) => Partial<EgressOptions> = () => ({})) {
  const site = await openSite({
    '/page': '<p>hello</p>',
    '/echo': (request, response) => void response.end(JSON.stringify(request.headers)),
    '/large': (_request, response) => void response.end('x'.repeat(5000)),
    '/silent': () => undefined,
  });
  const approvedDestinations = new Set([`site.test:${site.port}`]);
  const { proxy, url } = await startProxy({ approvedDestinations, ...options(site) });
  closing.push(site.close, () => proxy.stop());
  const authorization = basic(proxy.openSession('s1'));
  return { site, proxy, url, authorization, page: (path: string) => `http://site.test:${site.port}${path}` };
}

describe('egress proxy', () => {
  it('[EG1] a host is resolved once and the judged address is dialled', async () => {
    const asked: string[] = [];
    const resolve = (name: string) => Promise.resolve(asked.push(name) === 1 ? ['127.0.0.1'] : ['192.0.2.1']);
    const { url, authorization, page, site } = await setUp(() => ({ resolve }));
    expect(await askProxy(url, page('/page'), { authorization })).toMatchObject({ status: 200, body: '<p>hello</p>' });
    expect(asked).toEqual(['site.test']);
    expect(site.hits).toContain('GET /page');
  });

  it('[EG2] without the credentials of an open session nothing is done', async () => {
    const { url, authorization, page, site, proxy } = await setUp();
    const wrong = [
      undefined,
      'Basic',
      'Basic !!',
      basic({ username: 's1', password: 'x'.repeat(48) }),
      basic({ username: 's2', password: '' }),
    ];
    for (const one of wrong) {
      const asking = one === undefined ? {} : { authorization: one };
      expect((await askProxy(url, page('/page'), asking)).status).toBe(407);
      expect((await askProxy(url, `site.test:${site.port}`, { ...asking, method: 'CONNECT' })).status).toBe(407);
    }
    proxy.closeSession('s1');
    expect((await askProxy(url, page('/page'), { authorization })).status).toBe(407);
    expect(site.hits).toEqual([]);
  });

  it('[EG3] each request and each CONNECT is judged anew', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1'], ['::']];
    const { url, authorization, page, site } = await setUp(() => ({
      resolve: () => Promise.resolve(answers.shift() ?? []),
    }));
    const target = `site.test:${site.port}`;
    expect((await askProxy(url, page('/page'), { authorization })).status).toBe(200);
    expect((await askProxy(url, page('/page'), { authorization })).status).toBe(403);
    expect((await askProxy(url, target, { authorization, method: 'CONNECT' })).status).toBe(200);
    expect((await askProxy(url, target, { authorization, method: 'CONNECT' })).status).toBe(403);
  });

  it('[EG4] a refusal has no content, a secret mark and its reason beside it', async () => {
    const { url, authorization, proxy } = await setUp();
    const refused = await askProxy(url, 'http://127.0.0.1:8099/x', { authorization });
    expect(refused).toMatchObject({ status: 403, body: '', headers: { [proxy.refusalHeader]: '1' } });
    expect((await askProxy(url, '10.0.0.1:443', { authorization, method: 'CONNECT' })).status).toBe(403);
    for (const target of ['ftp://site.test/', '/page', 'http://u:p@site.test/', `http://${'x'.repeat(300)}.test/`])
      expect((await askProxy(url, target, { authorization })).status).toBe(403);
    const verdicts = proxy.verdicts.since('s1', 0);
    expect(verdicts.map(({ reason }) => reason).slice(0, 2)).toEqual([
      '127.0.0.1 leads to this machine itself',
      '10.0.0.1 leads to a private network',
    ]);
    expect(verdicts).toHaveLength(6);
  });

  it('[EG5] an internal host is answered here, exactly by its name, and never resolved', async () => {
    const asked: string[] = [];
    const site = () => Promise.resolve({ status: 200, headers: {}, body: 'inside' });
    const { url, authorization } = await setUp(() => ({
      approvedOrigins: new Map([['lib.yunsou.internal', site]]),
      resolve: (name) => Promise.resolve([asked.push(name) > 0 ? '127.0.0.1' : '']),
    }));
    const ask = async (target: string, method = 'GET') => askProxy(url, target, { authorization, method });
    expect(await ask('http://lib.yunsou.internal/')).toMatchObject({ status: 200, body: 'inside' });
    expect((await ask('http://lib.yunsou.internal/', 'POST')).status).toBe(405);
    for (const other of [
      'http://lib.yunsou.internal:8080/',
      'http://x.lib.yunsou.internal/',
      'http://lib.yunsou.internal./',
    ])
      expect([other, (await ask(other)).status]).toEqual([other, 403]);
    for (const other of ['lib.yunsou.internal:80', 'LIB.yunsou.internal.:443'])
      expect([other, (await ask(other, 'CONNECT')).status]).toEqual([other, 403]);
    expect(asked).toEqual([]);
  });

  it('[EG6] traffic is counted for the session it came with, and ends with it', async () => {
    const { url, authorization, page, proxy, site } = await setUp();
    const other = basic(proxy.openSession('s2'));
    await askProxy(url, page('/large'), { authorization });
    await askProxy(url, 'http://10.0.0.1/', { authorization: other });
    expect(proxy.traffic.of('s1')).toEqual([
      { family: 'site.test', requests: 1, refused: 0, bytesIn: 5000, bytesOut: 0 },
    ]);
    expect(proxy.traffic.of('s2')).toEqual([{ family: '10.0.0.1', requests: 0, refused: 1, bytesIn: 0, bytesOut: 0 }]);
    const hanging = askProxy(url, page('/silent'), { authorization }).catch(() => 'cut');
    await expect.poll(() => site.hits).toContain('GET /silent');
    proxy.closeSession('s1');
    expect(await hanging).toBe('cut');
    expect((await askProxy(url, page('/page'), { authorization: other })).status).toBe(200);
  });

  it('[EG6] a tunnel ends with its session', async () => {
    const { url, authorization, proxy, site } = await setUp();
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    const ended = new Promise<string>((resolve) => socket.on('close', () => resolve('ended')));
    socket.on('error', () => undefined);
    const established = new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.write(
      `CONNECT site.test:${site.port} HTTP/1.1\r\nHost: site.test\r\nProxy-Authorization: ${authorization}\r\n\r\n`,
    );
    await established;
    proxy.closeSession('s1');
    expect(await ended).toBe('ended');
  });

  it('[EG7] what goes beyond the size of a family is cut, and refused with its reason afterwards', async () => {
    const familyLimit = { connections: 4, requestsPerMinute: 100, bytesPerSession: 2000, waitMs: 1000 };
    const { url, authorization, page, proxy } = await setUp(() => ({ familyLimit }));
    await expect(askProxy(url, page('/large'), { authorization })).rejects.toThrow();
    expect((await askProxy(url, page('/page'), { authorization })).status).toBe(403);
    expect(proxy.verdicts.since('s1', 0).at(-1)?.reason).toBe('too much was loaded from site.test');
  });

  it('[SC-01] credentials and headers of this hop do not leave', async () => {
    const { url, authorization, page } = await setUp();
    const headers = { connection: 'x-hop, keep-alive', 'x-hop': '1', 'x-end': '2', te: 'trailers' };
    const { body } = await askProxy(url, page('/echo'), { authorization, headers });
    const seen = JSON.parse(body) as Record<string, string>;
    expect(Object.keys(seen).sort()).toEqual(['connection', 'host', 'x-end']);
    expect(body).not.toContain(authorization);
  });
});
