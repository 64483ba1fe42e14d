import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '#contracts/errors.ts';

const PATIENCE_MS = 10_000;

/**
 * Stops a server that outlived its owner, and removes a pid file whose pid belongs to something else by now.
 * Call only with the owner lock held: then any server found on the folder has no living owner.
 */
export async function stopOrphan(clusterFolder: string): Promise<void> {
  const pidFile = join(clusterFolder, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!serves(pid, clusterFolder)) {
    rmSync(pidFile, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const deadlineMs = Date.now() + PATIENCE_MS;
  while (serves(pid, clusterFolder)) {
    if (Date.now() > deadlineMs) {
      fail(
        'store.unavailable',
        `PostgreSQL process ${pid}, left over from an earlier run on ${clusterFolder}, does not stop.`,
      );
    }
    await sleep(20);
  }
}

/** A server started here works inside its data folder (`-D /proc/self/cwd`), which its pid alone could not prove. */
function serves(pid: number, clusterFolder: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === clusterFolder;
  } catch {
    return false;
  }
}
