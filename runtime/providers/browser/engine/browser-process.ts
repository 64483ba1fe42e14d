import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A process of this machine; `started` tells it from a later one with the same number. */
export type ProcessMark = { readonly pid: number; readonly started: string };
export type BrowserProcess = ProcessMark & { readonly profile: string };

type OwnerRecord = { readonly owner: ProcessMark; readonly browser: BrowserProcess };

function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function isAlive(mark: ProcessMark): boolean {
  return startTime(mark.pid) === mark.started;
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Browsers that this process started, found by their own command line. Linux only; elsewhere none. */
export function ownBrowserProcesses(): BrowserProcess[] {
  const found: BrowserProcess[] = [];
  for (const pid of processIds()) {
    try {
      if (parentOf(pid) !== process.pid) continue;
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const profile = args.find((arg) => arg.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length);
      const started = startTime(pid);
      if (profile !== undefined && started !== undefined) found.push({ pid, started, profile });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

function isOurProfile(profile: string): boolean {
  return dirname(profile) === tmpdir() && basename(profile).startsWith('playwright_');
}

/** Ends a browser and all that it started (it leads its own process group), and removes its profile. */
export function endBrowserProcess(browser: BrowserProcess): void {
  if (isAlive(browser)) {
    try {
      process.kill(-browser.pid, 'SIGKILL');
    } catch {
      try {
        process.kill(browser.pid, 'SIGKILL');
      } catch {
        // Already gone.
      }
    }
  }
  if (isOurProfile(browser.profile)) rmSync(browser.profile, { recursive: true, force: true, maxRetries: 3 });
}

function recordPath(folder: string, browser: ProcessMark): string {
  return join(folder, `owner-${process.pid}-${browser.pid}.json`);
}

export function recordOwner(folder: string, browser: BrowserProcess): void {
  mkdirSync(folder, { recursive: true });
  const owner = { pid: process.pid, started: startTime(process.pid) ?? '' };
  writeFileSync(recordPath(folder, browser), JSON.stringify({ owner, browser } satisfies OwnerRecord));
}

export function forgetOwner(folder: string, browser: BrowserProcess): void {
  rmSync(recordPath(folder, browser), { force: true });
}

/** What a killed process left behind: its browser, if that still runs, its profile, and half-unpacked programs. */
export function sweepOrphans(folder: string): number {
  let swept = 0;
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return 0;
  }
  for (const name of names.filter((entry) => /^owner-\d+-\d+\.json$/u.test(entry))) {
    try {
      const { owner, browser } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as OwnerRecord;
      if (isAlive(owner)) continue;
      if (!isAlive(browser) || isChromium(browser.pid, browser.profile)) endBrowserProcess(browser);
    } catch {
      // A record that cannot be read says nothing about any process.
    }
    rmSync(join(folder, name), { force: true });
    swept += 1;
  }
  return swept;
}

function isChromium(pid: number, profile: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(profile);
  } catch {
    return false;
  }
}
