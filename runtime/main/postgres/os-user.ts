import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { fail } from '#contracts/errors.ts';

/** Who the server runs as. PostgreSQL refuses to run as root, so root hands it to an unprivileged user. */
export type OsUser = {
  readonly name: string;
  /** Spread into `spawn` options; empty when the server runs as the current user. */
  readonly credentials: { readonly uid?: number; readonly gid?: number };
};

export function chooseServerUser(): OsUser {
  if (process.getuid?.() !== 0) return { name: userInfo().username, credentials: {} };
  const existing = findUser('postgres');
  if (existing !== null) return existing;
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'], { stdio: 'ignore' });
  return (
    findUser('postgres') ??
    findUser('nobody') ??
    fail(
      'platform.unsupported',
      'PostgreSQL may not run as root, and neither user postgres nor user nobody exists; start as a normal user or set DATABASE_URL.',
    )
  );
}

function findUser(name: string): OsUser | null {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [entry, , uid, gid] = line.split(':');
    if (entry === name) return { name, credentials: { uid: Number(uid), gid: Number(gid) } };
  }
  return null;
}
