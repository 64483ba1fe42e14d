import { spawn } from 'child_process';
import { constants } from 'os';
import { join } from 'path';
import { pathToFileURL } from 'url';

const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** A terminal and npm both deliver the same Ctrl-C; what arrives within this time is the same request. */
const SAME_REQUEST_MS = 500;

/**
 * Passes our signals on to the child, each request once.
 * In a terminal the whole foreground group already gets Ctrl-C from the kernel, so SIGINT is not sent a second time.
 * @returns a function that stops forwarding
 */
export function forwardSignals(child) {
  const lastAt = {};
  const listeners = FORWARDED.map((signal) => {
    const listener = () => {
      const now = Date.now();
      const isRepeat = now - (lastAt[signal] || 0) < SAME_REQUEST_MS;
      lastAt[signal] = now;
      if (isRepeat || (signal === 'SIGINT' && process.stdin.isTTY)) return;
      child.kill(signal);
    };
    process.on(signal, listener);
    return [signal, listener];
  });
  return () => listeners.forEach((pair) => process.removeListener(pair[0], pair[1]));
}

/** The exit code a shell would show for this ending. */
export function exitCodeOf(code, signal) {
  return signal ? 128 + (constants.signals[signal] || 0) : code === null ? 1 : code;
}

/**
 * Runs a TypeScript file of the project and resolves with its exit code.
 * The extra channel carries no messages: its closing is how the child learns that we are gone (see leash.mjs).
 */
export function runCommand(root, script, args) {
  const leash = pathToFileURL(join(root, 'scripts', 'bootstrap', 'leash.mjs')).href;
  const env = Object.assign({}, process.env);
  // Relative paths among the arguments mean the folder the user stands in; npm sets it, a direct call does not.
  if (!env.INIT_CWD) env.INIT_CWD = process.cwd();
  const child = spawn(process.execPath, ['--import', 'tsx', '--import', leash, script].concat(args), {
    cwd: root,
    env: env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      stopForwarding();
      resolve(exitCodeOf(code, signal));
    });
  });
}
