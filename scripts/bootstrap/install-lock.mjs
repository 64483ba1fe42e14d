// Install lock
//
// A folder `.install-lock` in the project, made atomically, held by one bootstrap while npm works.
// Owns:     the folder, its owner record and its heartbeat.
// Owns not: what is done under it.
//
//   IL1  A lock whose owner is provably dead (same machine, no such process) or silent for STALE_MS is taken over by one waiter.
//   IL2  The npm process counts as owner too: a killed bootstrap may leave it running.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'fs';
import { hostname } from 'os';
import { join } from 'path';

const HEARTBEAT_MS = 2000;
const STALE_MS = 20000;
const POLL_MS = 200;

/** Kernel start time of a process, so that a reused number is not taken for the old process. Empty where unknown. */
function startedAt(pid) {
  try {
    const stat = readFileSync('/proc/' + pid + '/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '';
  }
}

function isAlive(process_) {
  try {
    process.kill(process_.pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  return startedAt(process_.pid) === process_.startedAt;
}

function readOwner(path) {
  try {
    return JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'));
  } catch {
    return null;
  }
}

function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function isStale(path) {
  const owner = readOwner(path);
  const isHere = owner && owner.host === hostname();
  if (isHere) return !owner.processes.some(isAlive);
  return ageMs(path) > STALE_MS;
}

/** Moves a dead lock away under a name of our own, so that of several waiters one succeeds. */
function breakLock(path) {
  const aside = path + '-' + process.pid;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

function hold(path) {
  const owner = { host: hostname(), processes: [] };
  const addProcess = (pid) => {
    owner.processes.push({ pid: pid, startedAt: startedAt(pid) });
    const draft = join(path, 'owner-draft.json');
    writeFileSync(draft, JSON.stringify(owner));
    renameSync(draft, join(path, 'owner.json'));
  };
  addProcess(process.pid);
  const heartbeat = setInterval(() => {
    if (existsSync(path)) utimesSync(path, new Date(), new Date());
  }, HEARTBEAT_MS);
  const release = () => {
    clearInterval(heartbeat);
    rmSync(path, { recursive: true, force: true });
  };
  return { addProcess: addProcess, release: release };
}

/**
 * Resolves with the held lock. Throws what `mkdir` throws in an unwritable folder.
 * @param {() => void} onWait called once when another bootstrap holds the lock
 */
export async function acquireInstallLock(root, onWait) {
  const path = join(root, '.install-lock');
  for (let isFirst = true; ; isFirst = false) {
    try {
      mkdirSync(path);
      return hold(path);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(path)) {
      breakLock(path);
      continue;
    }
    if (isFirst) onWait();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
