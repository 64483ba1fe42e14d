import { createHash } from 'crypto';
import { existsSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';

const STAMP = '.install-stamp.json';

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** What the installed packages must answer to: the lock file, on this kind of machine. */
function expectedStamp(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return {
    lockSha256: createHash('sha256').update(lock).digest('hex'),
    platform: process.platform + '-' + process.arch,
  };
}

/** True when every package of the lock file lies in npm's own record of node_modules, which npm writes when it has finished. */
function matchesNpmRecord(root) {
  const wanted = readJson(join(root, 'package-lock.json'));
  const record = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !wanted.packages || !record || !record.packages) return false;
  return Object.keys(wanted.packages).every((path) => {
    if (path === '') return true;
    const expected = wanted.packages[path];
    const installed = record.packages[path];
    // Optional packages are those of other systems; npm leaves them out.
    if (!installed) return Boolean(expected.optional || expected.devOptional || expected.peer);
    return installed.version === expected.version && existsSync(join(root, path));
  });
}

/** True when node_modules answers to the lock file. Leaves a stamp, so that the next look costs one small file. */
export function isInstalled(root) {
  const expected = expectedStamp(root);
  const stamp = readJson(join(root, 'node_modules', STAMP));
  if (stamp && stamp.lockSha256 === expected.lockSha256 && stamp.platform === expected.platform) return true;
  // A stamp of another kind of machine means foreign binaries, whatever npm's record says.
  if (stamp && stamp.platform !== expected.platform) return false;
  if (!matchesNpmRecord(root)) return false;
  writeStamp(root);
  return true;
}

/** Remembers that node_modules answers to the lock file; a read-only folder only costs the longer look next time. */
export function writeStamp(root) {
  try {
    writeFileSync(join(root, 'node_modules', STAMP), JSON.stringify(expectedStamp(root)) + '\n');
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS' && error.code !== 'EPERM') throw error;
  }
}
