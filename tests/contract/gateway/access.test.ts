import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOrCreateSecret } from '#gateway/access/secret-file.ts';
import { API_TOKEN, rawCall, startGateway, type GatewayHarness } from '#tests/support/fakes/gateway-harness.ts';

const API = '/api/v1';

describe('who may use the gateway', () => {
  let host: GatewayHarness;
  const cookieOf = (headers: Headers): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const signIn = async (): Promise<string> =>
    cookieOf((await host.call(host.gateway.issueSignInPath(), { as: 'stranger' })).headers);
  const asBrowser = (cookie: string, extra: Record<string, string> = {}) => ({
    as: 'stranger' as const,
    headers: { Cookie: cookie, ...extra },
  });

  beforeEach(async () => {
    host = await startGateway();
  });
  afterEach(async () => host.close());

  it('[SC-01] a stranger sees no row and changes nothing', async () => {
    const closed = ['conversations', 'tasks', 'artifacts', 'library', 'evidence/evd_12345678', 'metrics'];
    for (const name of closed) {
      const answer = await host.call(`${API}/${name}`, { as: 'stranger' });
      expect(answer, name).toMatchObject({ status: 401, body: { code: 'request.unauthenticated' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    const created = await host.call(`${API}/conversations`, { as: 'stranger', method: 'POST', body: {} });
    expect(created.status).toBe(401);
    expect(host.world.actors.size).toBe(0);
    for (const name of ['health', 'ready', 'openapi.json', 'session']) {
      expect((await host.call(`${API}/${name}`, { as: 'stranger' })).status, name).toBe(200);
    }
  });

  it('[SC-01] the printed link signs in once and takes the token out of the address', async () => {
    const link = host.gateway.issueSignInPath();
    const first = await host.call(link, { as: 'stranger' });
    expect(first).toMatchObject({ status: 303 });
    expect(first.headers.get('location')).toBe('/');
    expect(first.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const second = await host.call(link, { as: 'stranger' });
    expect(second.headers.get('location')).toBe('/sign-in?failed=1');
    expect(second.headers.get('set-cookie')).toBeNull();
    const listed = await host.call(`${API}/conversations`, asBrowser(cookieOf(first.headers)));
    expect(listed.status).toBe(200);
  });

  it('[SC-01] POST /session exchanges a token once', async () => {
    const token = host.gateway.issueSignInPath().split('=')[1];
    const exchange = () => host.call(`${API}/session`, { as: 'stranger', method: 'POST', body: { token } });
    const first = await exchange();
    expect(first).toMatchObject({ status: 201, body: { signed_in: true, language: 'en', engine: 'extractive' } });
    expect(await exchange()).toMatchObject({ status: 401 });
    const session = await host.call(`${API}/session`, asBrowser(cookieOf(first.headers)));
    expect(session.body).toMatchObject({ signed_in: true });
    const out = await host.call(`${API}/session`, {
      ...asBrowser(cookieOf(first.headers), { Origin: host.url }),
      method: 'DELETE',
    });
    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
  });

  it('[SC-01] a restart with the same secret keeps people signed in, another secret or 30 days do not', async () => {
    const cookie = await signIn();
    const other = await startGateway({
      access: { sessionSecret: 'x'.repeat(43), apiToken: null, projects: ['default'] },
    });
    const later = await startGateway();
    try {
      expect((await later.call(`${API}/tasks`, asBrowser(cookie))).status).toBe(200);
      expect((await other.call(`${API}/tasks`, asBrowser(cookie))).status).toBe(401);
      later.clock.advance(31 * 24 * 3_600_000);
      expect((await later.call(`${API}/tasks`, asBrowser(cookie))).status).toBe(401);
    } finally {
      await other.close();
      await later.close();
    }
  });

  it('[SC-01] a changed cookie is no session', async () => {
    const cookie = await signIn();
    const [name, value = ''] = cookie.split('=');
    const [id, begun, signature = ''] = value.split('.');
    const forged = [
      `${name}=${id}.${Number(begun) + 1}.${signature}`,
      `${name}=other.${begun}.${signature}`,
      `${name}=${id}.${begun}.${signature.slice(0, -1)}`,
      `${name}=${id}.${begun}`,
      `${name}=`,
    ];
    for (const one of forged) expect((await host.call(`${API}/tasks`, asBrowser(one))).status, one).toBe(401);
  });

  it('[SC-01] the bearer token opens the door, any other does not', async () => {
    const call = (token: string) =>
      host.call(`${API}/tasks`, { as: 'stranger', headers: { Authorization: `Bearer ${token}` } });
    expect((await call(API_TOKEN)).status).toBe(200);
    expect((await call(`${API_TOKEN}x`)).status).toBe(401);
    expect((await call('undefined')).status).toBe(401);
  });

  it('[SC-01] a cookie writes only from the own origin', async () => {
    const cookie = await signIn();
    const create = (extra: Record<string, string>) =>
      host.call(`${API}/conversations`, { ...asBrowser(cookie, extra), method: 'POST', body: {} });
    const foreign = [
      'http://evil.example',
      'null',
      `http://localhost:${host.port}`,
      `https://127.0.0.1:${host.port}`,
      'http://127.0.0.1:1',
    ];
    for (const origin of foreign) expect((await create({ Origin: origin })).status, origin).toBe(403);
    expect((await create({})).status).toBe(403);
    expect((await create({ Origin: host.url })).status).toBe(201);
    expect(host.world.actors.size).toBe(1);
  });

  it('[SC-01] answers to foreign origins carry no CORS permission', async () => {
    const answer = await host.call(`${API}/health`, { as: 'stranger', headers: { Origin: 'http://evil.example' } });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    const preflight = await host.call(`${API}/tasks`, {
      method: 'OPTIONS',
      headers: { Origin: 'http://evil.example' },
    });
    expect(preflight.status).toBe(403);
  });

  it('[SC-01] a re-bound name is refused, loopback names are not', async () => {
    const get = (name: string) => rawCall(host.port, `${API}/health`, { Host: name });
    for (const name of [
      'evil.example',
      `evil.example:${host.port}`,
      '127.0.0.1.evil.example',
      '10.0.0.1',
      'localhost@evil',
    ]) {
      expect((await get(name)).status, name).toBe(403);
    }
    for (const name of [`localhost:${host.port}`, '127.0.0.1', `[::1]:${host.port}`]) {
      expect((await get(name)).status, name).toBe(200);
    }
  });

  it('[SC-01] an allowed origin behind a proxy may write', async () => {
    const origin = 'https://research.example.org';
    const proxied = await startGateway({ allowedOrigins: [origin] });
    try {
      const headers = { Host: 'research.example.org', Authorization: `Bearer ${API_TOKEN}` };
      const answer = await rawCall(proxied.port, `${API}/session`, { ...headers, Origin: origin }, 'DELETE');
      expect(answer.status).toBe(204);
      const foreign = await rawCall(
        proxied.port,
        `${API}/session`,
        { ...headers, Origin: 'https://evil.example' },
        'DELETE',
      );
      expect(foreign.status).toBe(403);
    } finally {
      await proxied.close();
    }
  });

  it('[SC-01] no answer repeats a secret', async () => {
    const headers = { Authorization: 'Bearer wrong-secret-value', Cookie: 'yunsou_x=secret-cookie' };
    const answer = await host.call(`${API}/tasks`, { as: 'stranger', headers });
    expect(JSON.stringify(answer.body)).not.toMatch(/wrong-secret-value|secret-cookie/);
  });
});

describe('secret files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'yunsou-secret-'));
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it('[SC-01] is made once, private, and the same for two that start at once', async () => {
    const path = join(folder, 'deep/session.key');
    const secrets = await Promise.all([readOrCreateSecret(path), readOrCreateSecret(path), readOrCreateSecret(path)]);
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    expect(await readOrCreateSecret(path)).toBe(secrets[0]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('[SC-01] a damaged file is a clear configuration failure and is left as it is', async () => {
    const path = join(folder, 'session.key');
    await writeFile(path, 'short');
    await expect(readOrCreateSecret(path)).rejects.toMatchObject({ failure: { code: 'config.invalid' } });
    expect(await readFile(path, 'utf8')).toBe('short');
  });
});
