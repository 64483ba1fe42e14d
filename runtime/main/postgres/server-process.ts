// Server process
//
// One run of `postgres` or `initdb` as a child of this process.
// Owns:     the child, its last output, the tie that makes it die with this process.
// Owns not: folders, locks, restarts (supervisor.ts).
//
//   1  The server never outlives its parent: the kernel signals it (setpriv), or a watchdog does when the parent's pipe closes.
//   2  The server has its own process group, so Ctrl-C reaches this process first and the server is stopped last.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { fail } from '#contracts/errors.ts';
import type { OsUser } from './os-user.ts';

const LOG_KEEP_CHARS = 4_000;
const STOP_PATIENCE_MS = 15_000;
/** Recovery after a crash replays at most `max_wal_size`. */
const START_PATIENCE_MS = 60_000;

export type ServerProcess = {
  readonly pid: number;
  /** Settles when the process ended, with its last output. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
};

type Launch = {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly user: OsUser;
};

/** Starts the server and resolves once it accepts connections; throws `store.unavailable` with its last words otherwise. */
export async function launchServer(launch: Launch): Promise<ServerProcess> {
  const byKernel = isMainThread && hasSetpriv();
  const command = byKernel ? 'setpriv' : launch.binary;
  const args = byKernel ? ['--pdeathsig=INT', launch.binary, ...launch.args] : launch.args;
  const child = spawn(command, args, {
    cwd: launch.cwd,
    env: serverEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    ...launch.user.credentials,
  });
  let log = '';
  const ended = new Promise<string>((resolve) => {
    child.once('close', () => resolve(log));
    child.once('error', (error) => resolve(error.message));
  });
  const ready = new Promise<true>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_KEEP_CHARS);
      if (log.includes('ready to accept connections')) resolve(true);
    });
  });
  const patience = new AbortController();
  const late = sleep(START_PATIENCE_MS, 'it was not ready in time', { signal: patience.signal }).catch(() => '');
  const outcome = await Promise.race([ready, ended, late]);
  patience.abort();
  if (outcome !== true) {
    child.kill('SIGINT');
    fail('store.unavailable', `PostgreSQL did not start: ${outcome.slice(-1_500).trim()}`, {
      retry: { kind: 'backoff' },
    });
  }
  const watchdog = byKernel ? null : startWatchdog(child);
  child.unref();
  (child.stderr as unknown as { unref(): void }).unref();
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      await stopChild(child);
      watchdog?.stdin?.end();
    },
  };
}

/** Runs a command to its end; throws `store.unavailable` with its last words when it fails. */
export async function runToEnd(launch: Launch): Promise<void> {
  const child = spawn(launch.binary, launch.args, {
    cwd: launch.cwd,
    env: serverEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...launch.user.credentials,
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-LOG_KEEP_CHARS);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) fail('store.unavailable', `PostgreSQL could not create its data folder: ${log.trim()}`);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.ref();
  child.kill('SIGINT');
  const late = new AbortController();
  const patience = sleep(STOP_PATIENCE_MS, 'late', { signal: late.signal }).catch(() => 'stopped');
  if ((await Promise.race([exited, patience])) === 'late') {
    child.kill('SIGQUIT');
    await exited;
  }
  late.abort();
}

/** Its standard input closes when this process ends, however it ends. */
function startWatchdog(server: ChildProcess): ChildProcess {
  const script = 'cat >/dev/null; kill -INT "$1" 2>/dev/null';
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', String(server.pid)], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  return watchdog;
}

function hasSetpriv(): boolean {
  return spawnSync('setpriv', ['--pdeathsig=INT', 'true'], { stdio: 'ignore' }).status === 0;
}

/** Nothing of our own environment (keys, PG* variables) belongs to the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}
