// Running checks side by side
//
// Owns:     the child processes of the checks, their output until they end, the live summary.
// Owns not: what a check does and whether its failure ends the caller.
//
//   RC1  At most `parallel` checks run at a time; each is a process of its own.
//   RC2  A check that is not finished by its deadline is ended and counts as failed.
//   RC3  Output of a check is shown as a whole when it failed, and not at all when it passed.
//   RC4  SIGTERM and SIGINT end the running checks; none is left behind.

import { spawn, type ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

export type Check = {
  readonly name: string;
  /** Arguments of node. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Shows the output as it comes instead of keeping it. */
  readonly isLive?: boolean;
};

export type CheckResult = {
  readonly name: string;
  readonly isPassed: boolean;
  readonly output: string;
  readonly seconds: number;
  readonly reason: string;
};

export type RunOptions = {
  readonly root: string;
  readonly parallel: number;
  readonly timeoutMs: number;
  readonly print: (line: string) => void;
};

/** Time a child has to end in order after SIGTERM (a test database has to be taken down). */
const KILL_AFTER_MS = 10_000;

const running = new Set<ChildProcess>();

function endChild(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
}

/** Ends whatever runs when this process is told to end, and then ends with the code of that signal. */
export function endChecksOnSignal(): void {
  const end = (code: number) => (): void => {
    const children = [...running];
    for (const child of children) endChild(child);
    const ended = children.map((child) => new Promise((resolve) => child.once('close', resolve)));
    void Promise.allSettled(ended).then(() => process.exit(code));
  };
  process.once('SIGINT', end(130));
  process.once('SIGTERM', end(143));
}

async function runCheck(check: Check, options: RunOptions): Promise<CheckResult> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, check.args, {
    cwd: options.root,
    env: { ...process.env, ...check.env },
    stdio: ['ignore', check.isLive ? 'inherit' : 'pipe', check.isLive ? 'inherit' : 'pipe'],
  });
  running.add(child);
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  let reason = '';
  const deadline = setTimeout(() => {
    reason = `not finished after ${Math.round(options.timeoutMs / 1000)} s`;
    endChild(child);
  }, options.timeoutMs);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      reason = error.message;
      resolve(1);
    });
    child.once('close', resolve);
  });
  clearTimeout(deadline);
  running.delete(child);
  if (code !== 0 && reason === '') reason = `ended with ${code ?? 'a signal'}`;
  const seconds = (performance.now() - startedAt) / 1000;
  return { name: check.name, isPassed: reason === '', output: Buffer.concat(chunks).toString('utf8'), seconds, reason };
}

/** What a check says in one line: the count of tests where there is one, else its last line. */
function gist(output: string): string {
  const lines = stripVTControlCharacters(output).trimEnd().split('\n');
  const line = lines.find((text) => /^\s+Tests\s/.test(text)) ?? lines.at(-1) ?? '';
  return line.trim().slice(0, 100);
}

function describe(result: CheckResult): string {
  const mark = result.isPassed ? 'ok    ' : 'FAILED';
  const detail = result.isPassed ? gist(result.output) : result.reason;
  return `${mark} ${result.name.padEnd(13)} ${result.seconds.toFixed(1).padStart(6)} s  ${detail}`;
}

/** Runs all checks, printing one line as each ends and the whole output of each that failed. Never throws for a failing check. */
export async function runChecks(checks: readonly Check[], options: RunOptions): Promise<CheckResult[]> {
  const waiting = [...checks];
  const results: CheckResult[] = [];
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const result = await runCheck(check, options);
      results.push(result);
      options.print(describe(result));
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.parallel) }, work));
  for (const result of results) {
    if (!result.isPassed && result.output !== '') options.print(`\n── ${result.name}\n${result.output.trimEnd()}`);
  }
  return results;
}
