import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readArguments, readProcess, readProcesses } from './process-table.ts';

/** A process of this machine; `started` tells it from a later one with the same number. */
export type ProcessMark = { readonly pid: number; readonly started: string };
export type BrowserProcess = ProcessMark & { readonly profile: string };

type OwnerRecord = { readonly owner: ProcessMark; readonly browser: BrowserProcess };
/** Written before a launch: the profile exists before anybody can know its name. */
type LaunchRecord = { readonly owner: ProcessMark; readonly beganMs: number };

const PROFILE_SWITCH = '--user-data-dir=';
const OWNER_RECORD = /^owner-\d+-\d+\.json$/u;
const LAUNCH_RECORD = /^launch-\d+-\d+\.json$/u;
/** A launch that takes longer has failed by then. */
const LAUNCH_WINDOW_MS = 60_000;

function isAlive(mark: ProcessMark): boolean {
  const row = readProcess(mark.pid);
  return row !== undefined && row.started === mark.started && row.state !== 'Z';
}

function profileOf(pid: number): string | undefined {
  const found = readArguments(pid).find((argument) => argument.startsWith(PROFILE_SWITCH));
  return found?.slice(PROFILE_SWITCH.length);
}

/** Browsers that this process started, found by their own command line. Linux only; elsewhere none. */
export function ownBrowserProcesses(): BrowserProcess[] {
  return readProcesses()
    .filter(({ parent, state }) => parent === process.pid && state !== 'Z')
    .flatMap(({ pid, started }) => {
      const profile = profileOf(pid);
      return profile === undefined ? [] : [{ pid, started, profile }];
    });
}

function isOurProfile(profile: string): boolean {
  return dirname(profile) === tmpdir() && basename(profile).startsWith('playwright_');
}

function removeProfile(profile: string): void {
  if (!isOurProfile(profile)) return;
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Something in it still writes; the next start sweeps again.
  }
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
  removeProfile(browser.profile);
}

function thisProcess(): ProcessMark {
  return { pid: process.pid, started: readProcess(process.pid)?.started ?? '' };
}

function recordPath(folder: string, browser: ProcessMark): string {
  return join(folder, `owner-${process.pid}-${browser.pid}.json`);
}

export function recordOwner(folder: string, browser: BrowserProcess): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(recordPath(folder, browser), JSON.stringify({ owner: thisProcess(), browser } satisfies OwnerRecord));
}

export function forgetOwner(folder: string, browser: BrowserProcess): void {
  rmSync(recordPath(folder, browser), { force: true });
}

/** Tells a later sweep that a browser is about to be started; returns how to take that back. */
export function recordLaunch(folder: string, beganMs: number): () => void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `launch-${process.pid}-${Math.trunc(beganMs)}.json`);
  writeFileSync(path, JSON.stringify({ owner: thisProcess(), beganMs } satisfies LaunchRecord));
  return () => rmSync(path, { force: true });
}

function readRecord<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    // A record that cannot be read says nothing about any process.
    return undefined;
  }
}

/** What a killed process left behind: its browsers, if they still run, and their profiles. Returns how many records were settled. */
export function sweepOrphans(folder: string): number {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return 0;
  }
  let swept = 0;
  for (const name of names) {
    const path = join(folder, name);
    const isSettled = OWNER_RECORD.test(name) ? sweepOwned(path) : LAUNCH_RECORD.test(name) && sweepLaunch(path);
    if (!isSettled) continue;
    rmSync(path, { force: true });
    swept += 1;
  }
  return swept;
}

function sweepOwned(path: string): boolean {
  const record = readRecord<OwnerRecord>(path);
  if (record === undefined) return true;
  const { owner, browser } = record;
  if (isAlive(owner)) return false;
  // The number may belong to another program by now.
  if (!isAlive(browser) || profileOf(browser.pid) === browser.profile) endBrowserProcess(browser);
  return true;
}

/** Its owner died while it launched: a profile that came to be at that time and that no living process uses is nobody's. */
function sweepLaunch(path: string): boolean {
  const record = readRecord<LaunchRecord>(path);
  if (record === undefined) return true;
  if (isAlive(record.owner)) return false;
  const used = new Set(readProcesses().map(({ pid }) => profileOf(pid)));
  const candidates = readdirSync(tmpdir()).filter((name) => /^playwright_\w*dev_profile-/u.test(name));
  for (const profile of candidates.map((name) => join(tmpdir(), name))) {
    const born = bornMs(profile);
    const isOfLaunch = born >= record.beganMs - 1000 && born <= record.beganMs + LAUNCH_WINDOW_MS;
    if (isOfLaunch && !used.has(profile)) removeProfile(profile);
  }
  return true;
}

function bornMs(path: string): number {
  try {
    return statSync(path).birthtimeMs;
  } catch {
    // Removed by somebody else meanwhile.
    return 0;
  }
}
