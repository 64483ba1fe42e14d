import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '#contracts/errors.ts';
import type { PostgresBinaries } from './binaries.ts';
import type { OsUser } from './os-user.ts';
import { mayEnter } from './reachability.ts';
import { runToEnd } from './server-process.ts';

/** `sun_path` holds 108 bytes including the final zero; the socket is `<folder>/.s.PGSQL.5432`. */
const SOCKET_PATH_MAX_BYTES = 107;
const SOCKET_NAME = '/.s.PGSQL.5432';

/**
 * The server is always started inside its data folder and told `-D /proc/self/cwd`:
 * so it needs no right to enter the folders above, which may be private to root.
 */
export const CURRENT_FOLDER = '/proc/self/cwd';

/** Creates the folder when missing; throws `config.invalid` in one sentence when it cannot be used. */
export function openDataFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const probe = join(path, `.write-probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
    return realpathSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    return fail(
      'config.invalid',
      `The data folder ${path} is not writable (${code ?? 'unknown reason'}); choose another one or change its permissions.`,
      { cause },
    );
  }
}

/** Creates the cluster (UTF-8, C.UTF-8) unless it is there already. An interrupted creation leaves nothing behind that is taken for a cluster. */
export async function ensureCluster(
  folder: string,
  binaries: PostgresBinaries,
  user: OsUser,
  durable: boolean,
): Promise<string> {
  const cluster = join(folder, 'cluster');
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    refuseForeignOwner(cluster, user);
    return cluster;
  }
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith('cluster.new')) rmSync(join(folder, entry), { recursive: true, force: true });
  }
  const fresh = join(folder, `cluster.new-${process.pid}`);
  mkdirSync(fresh, { mode: 0o700 });
  giveTo(fresh, user);
  const args = ['-D', CURRENT_FOLDER, '-U', 'app', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  await runToEnd({ binary: binaries.initdb, args: durable ? args : [...args, '--no-sync'], cwd: fresh, user });
  // Local socket only, and that in a folder nobody else may enter; no rule lets anybody in over TCP.
  writeFileSync(join(fresh, 'pg_hba.conf'), 'local all all trust\n');
  renameSync(fresh, cluster);
  return cluster;
}

/** A folder for the socket, private to the server's user: in the data folder, or a short one when that path is too long or unreachable. */
export function openSocketFolder(folder: string, user: OsUser): { path: string; remove: () => void } {
  const inside = join(folder, 's');
  if (Buffer.byteLength(inside + SOCKET_NAME) <= SOCKET_PATH_MAX_BYTES && mayEnter(folder, user)) {
    mkdirSync(inside, { recursive: true, mode: 0o700 });
    chmodSync(inside, 0o700);
    giveTo(inside, user);
    return { path: inside, remove: () => undefined };
  }
  // /tmp stands in for a temp folder that is itself too deep.
  const base = Buffer.byteLength(tmpdir()) > 60 ? '/tmp' : tmpdir();
  const path = mkdtempSync(join(base, 'yunsou-pg-'));
  giveTo(path, user);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function giveTo(path: string, user: OsUser): void {
  if (user.credentials.uid !== undefined)
    chownSync(path, user.credentials.uid, user.credentials.gid ?? user.credentials.uid);
}

function refuseForeignOwner(cluster: string, user: OsUser): void {
  const expected = user.credentials.uid ?? process.getuid?.();
  const found = statSync(cluster).uid;
  if (found !== expected) {
    fail(
      'config.invalid',
      `The database in ${cluster} belongs to user id ${found} but the server would run as ${user.name} (${expected ?? '?'}); start as the same user as before or choose another data folder.`,
    );
  }
}
