import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import { ownBrowserProcesses, sweepOrphans } from '#runtime/providers/browser/engine/browser-process.ts';
import { readProcess } from '#runtime/providers/browser/engine/process-table.ts';
import {
  codeOf,
  navigate,
  navigateAndRead,
  openBrowser,
  openSession,
  privateFolder,
  sharedFolder,
} from '#tests/support/sites/browser-harness.ts';
import { openSite, type LocalSite } from '#tests/support/sites/local-site.ts';

const TEXT = 'A sentence that is long enough to be read as the text of this page.';
let site: LocalSite;
let browser: BrowserPort;

beforeAll(async () => {
  site = await openSite({
    '/plain': `<!doctype html><title>Plain</title><p>${TEXT}</p>`,
    '/busy': `<!doctype html><title>Busy</title><p>${TEXT}</p><script>setTimeout(()=>{while(true){}},1500)</script>`,
    '/no': `<!doctype html><title>No</title><p>${TEXT}</p>`,
    '/moved': (_request, response) => void response.writeHead(302, { location: '/no' }).end(),
    '/robots.txt': 'User-agent: *\nDisallow: /no',
    '/cookie': (request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'who=someone', 'cache-control': 'max-age=600' })
        .end(`<title>Cookie</title><p>${TEXT} ${request.headers.cookie ?? 'nobody'}</p>`),
  });
});
afterAll(() => site.close());
afterEach(() => browser.stop());

function start(options: Parameters<typeof openBrowser>[0] = {}): BrowserPort {
  browser = openBrowser({
    resolve: () => Promise.resolve(['127.0.0.1']),
    approvedDestinations: new Set([`site.test:${site.port}`]),
    ...options,
  });
  return browser;
}

describe('health of the browser', () => {
  it('[BR-01][BH1][BH2][BH3] looks at six things in the real engine and says which sandbox it has', async () => {
    const health = await start().health();
    expect(health.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(health.checks.map(({ name }) => name).sort()).toEqual(
      ['clock', 'egress', 'engine', 'process', 'resources', 'storage'].sort(),
    );
    expect(health).toMatchObject({ ok: true, isSandboxed: process.getuid?.() !== 0 });
    expect(health.version).toMatch(/^\d+\./u);
    const detail = health.checks.find(({ name }) => name === 'process')?.detail;
    expect(detail).toContain(health.isSandboxed ? 'in the sandbox' : 'without the sandbox');
  });

  it('[BR5][BH3] nothing opens while one of them is wrong, and the failure names it', async () => {
    const dataDir = join(privateFolder(), 'file');
    writeFileSync(dataDir, 'where a folder should be');
    start({ dataDir });
    expect(await codeOf(openSession(browser, 's1'))).toBe('browser.unavailable');
    const health = await browser.health();
    expect(health).toMatchObject({ ok: false, isSandboxed: null });
    expect(health.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['engine', 'storage']);
  });
});

describe('exchange of browsers', () => {
  it('[BE4] a used-up browser keeps its sessions, gets no new one and goes with the last', async () => {
    // The look at its health is the first use.
    start({ recycling: { maxSessions: 2 } });
    await openSession(browser, 's1');
    const [first] = ownBrowserProcesses();
    await openSession(browser, 's2');
    expect(ownBrowserProcesses()).toHaveLength(2);
    for (const session of ['s1', 's2'])
      expect((await navigateAndRead(browser, session, site.origin() + '/plain')).page.text).toContain(TEXT);
    await browser.closeSession('s1');
    await expect.poll(() => ownBrowserProcesses().map(({ pid }) => pid)).not.toContain(first?.pid);
    expect((await navigateAndRead(browser, 's2', site.origin() + '/plain')).page.text).toContain(TEXT);
  }, 60_000);

  it('[BR-02] a session leaves nothing to the next one: no cookie and no cache', async () => {
    start();
    for (const session of ['s1', 's2']) {
      await openSession(browser, session);
      const read = await navigateAndRead(browser, session, site.origin() + '/cookie');
      expect(read.page.text).toContain('nobody');
      await browser.closeSession(session);
    }
    expect(site.hits.filter((hit) => hit === 'GET /cookie')).toHaveLength(2);
  });
});

describe('robots.txt and pages', () => {
  it('[RB3] a disallowed page is not opened, by its address or by a redirect; a read carries what was said', async () => {
    start({ robotsPolicy: 'respect_and_record' });
    await openSession(browser, 's1');
    expect(await codeOf(navigate(browser, 's1', site.origin() + '/no'))).toBe('page.blocked');
    expect(site.hits).not.toContain('GET /no');
    expect(await codeOf(navigate(browser, 's1', site.origin() + '/moved'))).toBe('page.blocked');
    const read = await navigateAndRead(browser, 's1', site.origin() + '/plain');
    expect(read.robots).toEqual({ address: `${site.origin()}/robots.txt`, verdict: 'allowed', rule: null });
  });
});

describe('a process that is killed', () => {
  it('[BE3] leaves no process of its browser behind, not even of a page that never lets go; its profile is swept', async () => {
    start();
    const approved = `site.test:${site.port}`;
    const script = new URL('../../support/workers/browser-owner.ts', import.meta.url).pathname;
    const args = ['--import', 'tsx', script, sharedFolder(), `${site.origin()}/busy`, approved];
    const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve) => owner.stdout.once('data', (chunk) => resolve(String(chunk))));
    const { pids, profiles } = JSON.parse(line) as { pids: { pid: number; started: string }[]; profiles: string[] };
    expect(pids.length).toBeGreaterThan(2);
    owner.kill('SIGKILL');
    const left = (): number =>
      pids.filter(({ pid, started }) => {
        const row = readProcess(pid);
        return row !== undefined && row.started === started && row.state !== 'Z';
      }).length;
    await expect.poll(left, { timeout: 15_000 }).toBe(0);
    sweepOrphans(join(sharedFolder(), 'chromium'));
    expect(profiles.filter((profile) => existsSync(profile))).toEqual([]);
  }, 90_000);

  it('[BE3] while it launched, leaves a profile that nobody knows, which is swept too', () => {
    start();
    const folder = privateFolder();
    const beganMs = Date.now();
    const profile = join(tmpdir(), `playwright_chromiumdev_profile-launch${process.pid}`);
    mkdirSync(profile);
    const owner = { pid: 999_999_999, started: '1' };
    writeFileSync(join(folder, `launch-${owner.pid}-1.json`), JSON.stringify({ owner, beganMs: beganMs + 3_600_000 }));
    expect(sweepOrphans(folder)).toBe(1);
    expect(existsSync(profile)).toBe(true);
    writeFileSync(join(folder, `launch-${owner.pid}-2.json`), JSON.stringify({ owner, beganMs }));
    expect(sweepOrphans(folder)).toBe(1);
    expect(existsSync(profile)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
