import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, afterAll, describe, expect, it } from 'vitest';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import {
  endBrowserProcess,
  ownBrowserProcesses,
  sweepOrphans,
} from '#runtime/providers/browser/engine/browser-process.ts';
import {
  codeOf,
  navigate,
  navigateAndRead,
  openBrowser,
  openSession,
  privateFolder,
  within,
} from '#tests/support/sites/browser-harness.ts';
import { openSite, type LocalSite } from '#tests/support/sites/local-site.ts';

const TEXT = 'A sentence that is long enough to be read as the text of this page.';
let site: LocalSite;
let browser: BrowserPort;

beforeAll(async () => {
  site = await openSite({
    '/plain': `<!doctype html><title>Plain</title><p>${TEXT}</p>`,
    '/busy': `<!doctype html><title>Busy</title><p>${TEXT}</p><script>setTimeout(()=>{while(true){}},50)</script>`,
    '/silent': () => undefined,
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

describe('a browser in trouble', () => {
  it('[BR-05] a page that never gives way is ended by the watchdog, and others go on', async () => {
    start();
    await openSession(browser, 'busy');
    await openSession(browser, 'calm');
    const busy = codeOf(navigateAndRead(browser, 'busy', site.origin() + '/busy'));
    expect((await navigateAndRead(browser, 'calm', site.origin() + '/plain')).page.text).toContain(TEXT);
    expect(await busy).toBe('browser.timeout');
    expect(await codeOf(navigate(browser, 'busy', site.origin() + '/plain'))).toBe('browser.timeout');
    await openSession(browser, 'busy');
    expect((await navigateAndRead(browser, 'busy', site.origin() + '/plain')).page.text).toContain(TEXT);
  }, 60_000);

  it('[BR-01] after the browser was killed its sessions say so and the next one works', async () => {
    start();
    await openSession(browser, 's1');
    await navigate(browser, 's1', site.origin() + '/plain');
    for (const { pid } of ownBrowserProcesses()) process.kill(pid, 'SIGKILL');
    expect(await codeOf(navigateAndRead(browser, 's1', site.origin() + '/plain'))).toBe('browser.crashed');
    await openSession(browser, 's2');
    expect((await navigateAndRead(browser, 's2', site.origin() + '/plain')).page.text).toContain(TEXT);
  }, 60_000);

  it('[TK-04] closing a task ends what its sessions are doing at once', async () => {
    start();
    await openSession(browser, 's1', 'task-a');
    await openSession(browser, 's2', 'task-b');
    const hanging = codeOf(navigate(browser, 's1', site.origin() + '/silent'));
    await browser.closeTask('task-a');
    expect(await hanging).toBe('effect.aborted');
    expect(await codeOf(navigate(browser, 's1', site.origin() + '/plain'))).toBe('browser.not_dispatched');
    expect((await navigateAndRead(browser, 's2', site.origin() + '/plain')).page.text).toContain(TEXT);
    await browser.closeTask('task-a');
  });

  it('[BR-05] calling off an action comes back at once', async () => {
    start();
    await openSession(browser, 's1');
    const stop = new AbortController();
    const opening = codeOf(
      browser.navigate('s1', { kind: 'navigate', actionId: 'a', url: site.origin() + '/silent' }, stop.signal),
    );
    stop.abort();
    expect(await opening).toBe('effect.aborted');
  });

  it('[BR-02] a session is not given to another owner', async () => {
    start();
    await openSession(browser, 's1');
    const taken = browser.openSession(
      { sessionId: 's1', project: 'default', taskId: 'task-1', owner: 'work-item/other', locale: 'en-US' },
      within(),
    );
    expect(await codeOf(taken)).toBe('request.forbidden');
  });

  it('[BR-01] stop leaves no process and no profile; an idle browser is closed and comes back', async () => {
    start({ idleCloseMs: 1 });
    await openSession(browser, 's1');
    const [running] = ownBrowserProcesses();
    expect(running).toBeDefined();
    await browser.closeSession('s1');
    await expect.poll(() => ownBrowserProcesses(), { timeout: 10_000 }).toEqual([]);
    await openSession(browser, 's2');
    expect((await navigateAndRead(browser, 's2', site.origin() + '/plain')).page.text).toContain(TEXT);
    const profiles = ownBrowserProcesses().map(({ profile }) => profile);
    await browser.stop();
    expect(ownBrowserProcesses()).toEqual([]);
    expect(profiles.filter((profile) => existsSync(profile))).toEqual([]);
  });

  it('[BR-01] a browser that cannot be started is an error that says why', async () => {
    start({ browserPath: '/nowhere/chromium' });
    expect(await browser.health()).toMatchObject({
      ok: false,
      problem: expect.stringContaining('/nowhere/chromium') as string,
    });
    expect(await codeOf(openSession(browser, 's1'))).toBe('browser.unavailable');
  });

  it('[BR-01] what an ended process left behind is swept', () => {
    start();
    const folder = privateFolder();
    const profile = join(tmpdir(), `playwright_chromiumdev_profile-test-${process.pid}`);
    mkdirSync(profile);
    const gone = { pid: 999_999_999, started: '1' };
    writeFileSync(
      join(folder, `owner-${gone.pid}-${gone.pid}.json`),
      JSON.stringify({ owner: gone, browser: { ...gone, profile } }),
    );
    expect(sweepOrphans(folder)).toBe(1);
    expect(existsSync(profile)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
    endBrowserProcess({ ...gone, profile });
  });
});
