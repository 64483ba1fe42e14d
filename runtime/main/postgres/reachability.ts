import { spawnSync } from 'node:child_process';
import type { OsUser } from './os-user.ts';

/** Whether `user` may pass through `folder` (every folder above it lets them in, too). */
export function mayEnter(folder: string, user: OsUser): boolean {
  return passesTest('-x', folder, user);
}

export function mayRun(binary: string, user: OsUser): boolean {
  return passesTest('-x', binary, user);
}

function passesTest(flag: string, path: string, user: OsUser): boolean {
  const options = { cwd: '/', stdio: 'ignore', ...user.credentials } as const;
  return spawnSync('/bin/sh', ['-c', 'test "$1" "$2"', 'sh', flag, path], options).status === 0;
}
