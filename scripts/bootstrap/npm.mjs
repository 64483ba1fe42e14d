import { spawn } from 'child_process';
import { accessSync, constants, existsSync, realpathSync } from 'fs';
import { homedir, tmpdir } from 'os';
import { dirname, join } from 'path';
import { exitCodeOf, forwardSignals } from './child.mjs';

/** Where npm's own entry file may lie: told by npm itself, else beside this Node, else where Debian keeps it. */
export function findNpm(env, execPath) {
  const told = env.npm_execpath || '';
  // Under another package manager this variable names that one.
  const candidates = /npm-cli\.c?js$/.test(told) ? [told] : [];
  [execPath, realpathSync(execPath)].forEach((node) => {
    candidates.push(join(dirname(node), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'));
    candidates.push(join(dirname(node), 'node_modules', 'npm', 'bin', 'npm-cli.js'));
  });
  candidates.push('/usr/share/nodejs/npm/bin/npm-cli.js', '/usr/lib/node_modules/npm/bin/npm-cli.js');
  return candidates.find((path) => existsSync(path)) || '';
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm insists on a cache folder; users without a home of their own (such as `nobody`) get one in the temporary folder. */
function environmentFor(env) {
  const hasCache = Object.keys(env).some((name) => name.toLowerCase() === 'npm_config_cache');
  const userCache = join(homedir(), '.npm');
  if (isWritable(existsSync(userCache) ? userCache : homedir())) return env;
  if (hasCache && isWritable(env.npm_config_cache || '')) return env;
  const cache = join(tmpdir(), 'yunsou-npm-cache-' + (process.getuid ? process.getuid() : 'user'));
  process.stderr.write('The home folder is not writable; npm keeps its cache in ' + cache + '.\n');
  return Object.assign({}, env, { npm_config_cache: cache });
}

/**
 * `npm ci`, with everything it prints on standard error. Resolves with its exit code.
 * @param {(pid: number) => void} onStart
 */
export function runNpmCi(root, onStart) {
  const npm = findNpm(process.env, process.execPath);
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--no-update-notifier'];
  const options = { cwd: root, env: environmentFor(process.env), stdio: ['ignore', 2, 2] };
  const child = npm ? spawn(process.execPath, [npm].concat(args), options) : spawn('npm', args, options);
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      stopForwarding();
      reject(error.code === 'ENOENT' ? new Error('npm was found neither beside this Node nor on the PATH.') : error);
    });
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(exitCodeOf(code, signal));
    });
    if (child.pid) onStart(child.pid);
  });
}
