import { createHash } from 'node:crypto';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rawCall, startGateway, type GatewayHarness } from '#tests/support/fakes/gateway-harness.ts';

describe('pages', () => {
  let host: GatewayHarness;
  const get = (path: string) => host.call<string>(path, { as: 'stranger' });
  const raw = (path: string, headers = {}) => rawCall(host.port, path, { Host: `127.0.0.1:${host.port}`, ...headers });

  beforeEach(async () => {
    host = await startGateway();
  });
  afterEach(async () => host.close());

  it('[SC-01] the app runs only scripts of this server and the inline ones it was built with', async () => {
    const { headers, body } = await get('/');
    const policy = headers.get('content-security-policy') ?? '';
    const hash = createHash('sha256').update('document.title = "boot"').digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(body).toContain('<title>app</title>');
  });

  it('[CH-01] every address of the app opens the app; missing files and calls do not', async () => {
    for (const path of ['/conversations/cnv_12345678', '/settings', '/sign-in', '/sign-in?failed=1']) {
      expect((await get(path)).body, path).toContain('<title>app</title>');
    }
    for (const path of ['/assets/missing.js', '/favicon.ico', '/api/v2/anything', '/secret.pem', '/assets/']) {
      expect((await get(path)).status, path).toBe(404);
    }
  });

  it('[CH-01] hashed files are kept for ever, and asked for again by their tag', async () => {
    const { status, headers } = await get('/assets/a.js');
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/javascript; charset=utf-8',
    });
    expect(headers.get('cache-control')).toContain('immutable');
    const again = await raw('/assets/a.js', { 'If-None-Match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('[CH-10] help speaks both languages, is open, and stays in its folder', async () => {
    expect((await get('/help')).headers.get('location')).toBe('/help/en/index.html');
    expect((await get('/help/zh-CN')).headers.get('location')).toBe('/help/zh-CN/index.html');
    const page = await get('/help/zh-CN/index');
    expect(page).toMatchObject({ status: 200, body: '<h1>帮助</h1>' });
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect((await get('/help/style.css')).status).toBe(200);
    for (const path of ['/help/en/nothing', '/help/fr/index', '/help/en/index.txt']) {
      expect((await get(path)).status, path).toBe(404);
    }
  });

  it('[SC-02] no path leads out of the folders', async () => {
    const paths = [
      '/../outside.html',
      '/assets/../../outside.html',
      '/assets/..%2f..%2foutside.html',
      '/..%2foutside.html',
      '/%2e%2e/outside.html',
      '/..\\outside.html',
      '/help/../outside.html',
      '/help/en/..%2f..%2f..%2foutside.html',
      '/help/en/../../../outside',
      '//outside.html',
      '/assets/a.js%00.html',
    ];
    for (const path of paths) expect((await raw(path)).text, path).not.toContain('a file outside');
  });

  it('[SC-02] a link that leaves the folder is not followed', async () => {
    await writeFile(join(host.folder, 'outside.txt'), 'a file outside');
    await symlink(join(host.folder, 'outside.txt'), join(host.folder, 'client/assets/link.txt'));
    expect((await get('/assets/link.txt')).status).toBe(404);
  });

  it('[AP-01] a malformed address is a clear 400', async () => {
    expect(await get('/%E0%A4%A')).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
  });
});

describe('the state of the process', () => {
  it('[AP-01] health, readiness and figures answer at both addresses', async () => {
    const host = await startGateway();
    try {
      for (const prefix of ['', '/api/v1']) {
        expect((await host.call(`${prefix}/health`)).body).toMatchObject({ status: 'ok', version: '0.0.0-test' });
        expect((await host.call(`${prefix}/ready`)).body).toMatchObject({ ready: true });
        expect((await host.call(`${prefix}/metrics`)).body).toBe('yunsou_up 1\n');
      }
    } finally {
      await host.close();
    }
  });

  it('[AP-01] not ready is 503 with the reason, and many askers start one check', async () => {
    let asked = 0;
    const part = { ok: false, detail: 'no browser' };
    const state = {
      ready: false,
      database: part,
      wire: part,
      browser: part,
      library: part,
      workers: part,
      engine: 'extractive',
    };
    const host = await startGateway({ ready: async () => ((asked += 1), state) });
    try {
      const answers = await Promise.all(Array.from({ length: 10 }, () => host.call('/ready', { as: 'stranger' })));
      expect(answers.every((one) => one.status === 503)).toBe(true);
      expect(answers[0]?.body).toEqual(state);
      expect(asked).toBe(1);
      host.clock.advance(2_000);
      await host.call('/ready');
      expect(asked).toBe(2);
    } finally {
      await host.close();
    }
  });

  it('[AP-01] a taken port is one clear sentence', async () => {
    const host = await startGateway();
    try {
      const { gateway } = await startGateway();
      await gateway.close();
      await expect(gateway.listen({ host: '127.0.0.1', port: host.port })).rejects.toMatchObject({
        failure: {
          code: 'config.invalid',
          message: expect.stringMatching(/port \d+ on 127\.0\.0\.1 is taken/) as string,
        },
      });
    } finally {
      await host.close();
    }
  });
});
