import { accessSync, constants, existsSync } from 'fs';
import { join } from 'path';
import { acquireInstallLock } from './install-lock.mjs';
import { runNpmCi } from './npm.mjs';
import { isInstalled, writeStamp } from './stamp.mjs';

const DENIED = ['EACCES', 'EPERM', 'EROFS'];

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function describeUnwritable(path) {
  return 'Packages must be installed, but the folder ' + path + ' cannot be written by this user.';
}

async function installUnder(lock, root) {
  process.stderr.write('Installing packages (first start, or package-lock.json has changed) …\n');
  const code = await runNpmCi(root, lock.addProcess);
  if (code > 128) process.exit(code);
  if (code !== 0) {
    return 'Installing packages failed (npm ci ended with ' + code + '); the first install needs a package registry.';
  }
  writeStamp(root);
  return '';
}

/** Resolves with one sentence when packages are missing and cannot be installed, else with an empty string. */
export async function ensureInstalled(root) {
  if (!existsSync(join(root, 'package-lock.json'))) return 'There is no package-lock.json in ' + root + '.';
  if (isInstalled(root)) return '';
  if (!isWritable(root)) return describeUnwritable(root);
  const modules = join(root, 'node_modules');
  if (existsSync(modules) && !isWritable(modules)) return describeUnwritable(modules);

  let lock;
  try {
    lock = await acquireInstallLock(root, () =>
      process.stderr.write('Another start is installing packages; waiting …\n'),
    );
  } catch (error) {
    if (DENIED.indexOf(error.code) >= 0) return describeUnwritable(root);
    throw error;
  }
  process.once('exit', lock.release);
  try {
    return isInstalled(root) ? '' : await installUnder(lock, root);
  } finally {
    process.removeListener('exit', lock.release);
    lock.release();
  }
}
