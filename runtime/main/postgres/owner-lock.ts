// Owner lock
//
// One file in the data folder that names the process which may run a server on it.
// Owns:     the lock file; telling a living owner from a dead one.
// Owns not: PostgreSQL's own postmaster.pid (see orphan.ts).
//
//   1  The file appears whole (hard link of a finished file), so nobody reads half of it.
//   2  An owner is alive only if its pid runs AND started at the recorded time: a reused pid is not an owner.
//   3  A stale file is renamed before it is deleted, so that two starters never delete each other's fresh lock.

import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '#contracts/errors.ts';

type Owner = { readonly pid: number; readonly startedAt: string };

/** Takes the folder for this process, or throws `config.invalid` naming the process that holds it. Returns the release. */
export function takeOwnerLock(folder: string): () => void {
  const file = join(folder, 'owner.json');
  const mine: Owner = { pid: process.pid, startedAt: readStartTime(process.pid) ?? '' };
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (tryLink(file, mine)) return () => releaseIfMine(file, mine);
    const holder = readOwner(file);
    if (holder !== null && isAlive(holder)) {
      const who = holder.pid === process.pid ? 'this process itself' : 'another running Yunsou';
      fail(
        'config.invalid',
        `The data folder ${folder} is already in use by process ${holder.pid} (${who}); stop it first or choose another data folder.`,
      );
    }
    setAside(file, holder);
  }
  return fail('config.invalid', `The data folder ${folder} is being started by several processes at once; try again.`);
}

function tryLink(file: string, owner: Owner): boolean {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, JSON.stringify(owner));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function setAside(file: string, stale: Owner | null): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    const moved = readOwner(aside);
    // Somebody replaced the stale lock between our look and our rename: put the living one back.
    if (JSON.stringify(moved) !== JSON.stringify(stale) && moved !== null && isAlive(moved)) linkSync(aside, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function releaseIfMine(file: string, mine: Owner): void {
  const holder = readOwner(file);
  if (holder?.pid === mine.pid && holder.startedAt === mine.startedAt) rmSync(file, { force: true });
}

function readOwner(file: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8')) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' && typeof owner.startedAt === 'string' ? (owner as Owner) : null;
  } catch {
    return null;
  }
}

function isAlive(owner: Owner): boolean {
  return readStartTime(owner.pid) === owner.startedAt;
}

/** Clock ticks since boot at which the process started, with the boot id; null when it does not run. */
function readStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19] ?? ''}`;
  } catch {
    return null;
  }
}
