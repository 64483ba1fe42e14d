import { silentLogger } from '#contracts/ports/logger.ts';
import { mkdtempSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserPort, NavigateResult, ReadResult } from '#contracts/ports/browser.ts';
import { createBrowser, type BrowserOptions } from '#runtime/providers/browser/browser.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

/** Unpacking Chromium takes seconds, so all tests share the unpacked one; each has its own everything else. */
export function sharedFolder(): string {
  const folder = join(tmpdir(), `yunsou-tests-${process.getuid?.() ?? 'user'}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function privateFolder(): string {
  return mkdtempSync(join(tmpdir(), 'yunsou-browser-'));
}

export function openBrowser(options: Partial<BrowserOptions> = {}): BrowserPort {
  const browserPath = process.env['BROWSER_PATH'];
  return createBrowser({
    dataDir: sharedFolder(),
    reader: createReader(),
    approvedOrigins: new Map(),
    logger: silentLogger,
    ...(browserPath === undefined ? {} : { browserPath }),
    ...options,
  });
}

export function within(ms = 30_000): AbortSignal {
  return AbortSignal.timeout(ms);
}

export async function openSession(browser: BrowserPort, sessionId: string, taskId = 'task-1'): Promise<void> {
  await browser.openSession(
    { sessionId, project: 'default', taskId, owner: `work-item/${sessionId}`, locale: 'en-US' },
    within(),
  );
}

export function navigate(browser: BrowserPort, sessionId: string, url: string): Promise<NavigateResult> {
  return browser.navigate(sessionId, { kind: 'navigate', actionId: 'a1', url }, within());
}

export async function navigateAndRead(browser: BrowserPort, sessionId: string, url: string): Promise<ReadResult> {
  const { observation } = await navigate(browser, sessionId, url);
  return browser.read(
    sessionId,
    { kind: 'read', actionId: 'a2', documentGeneration: observation.documentGeneration },
    within(),
  );
}

export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no failure';
  } catch (error) {
    return (error as { failure?: { code: string } }).failure?.code ?? String(error);
  }
}
