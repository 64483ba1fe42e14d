import { readFileSync } from 'fs';

const POLL_MS = 1000;

/** Parent of a process, or 0 where that cannot be told. */
function parentOf(pid) {
  try {
    const stat = readFileSync('/proc/' + pid + '/stat', 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

/**
 * npm starts us through a shell, and a signal for npm often ends only npm and that shell. So that the command does not live on
 * unseen, we end ourselves with SIGTERM when the shell, or npm above it, is gone.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const timer = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, POLL_MS);
  timer.unref();
}
