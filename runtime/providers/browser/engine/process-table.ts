import { readdirSync, readFileSync } from 'node:fs';

/** One process of this machine, as /proc shows it. Linux only; elsewhere nothing is found and nothing is limited. */
export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  /** Tells it from a later process with the same number. */
  readonly started: string;
  readonly cpuMs: number;
  readonly state: string;
};

const TICK_MS = 10;

/** Field numbers of proc(5), counted from the one after the name: the name may hold blanks and brackets. */
const FIELD = { state: 0, parent: 1, userTicks: 11, systemTicks: 12, started: 19 } as const;

export function readProcess(pid: number): ProcessRow | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const number = (index: number): number => Number(fields[index] ?? 0);
    return {
      pid,
      parent: number(FIELD.parent),
      started: fields[FIELD.started] ?? '',
      cpuMs: (number(FIELD.userTicks) + number(FIELD.systemTicks)) * TICK_MS,
      state: fields[FIELD.state] ?? '',
    };
  } catch {
    return undefined;
  }
}

export function readProcesses(): ProcessRow[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/u.test(name))
      .flatMap((name) => readProcess(Number(name)) ?? []);
  } catch {
    return [];
  }
}

export function readArguments(pid: number): readonly string[] {
  try {
    // Chromium rewrites its arguments into one text with blanks in some of its processes.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/\0|\s(?=--)/u);
  } catch {
    return [];
  }
}

/** Memory that only this process has; 0 when it is gone. */
export function privateBytes(pid: number): number {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The given process and all below it, without those that have ended and only wait to be collected. */
export function descendants(root: number, rows: readonly ProcessRow[]): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const found = rows.filter(({ pid }) => pid === root);
  for (const row of found) found.push(...(children.get(row.pid) ?? []));
  return found.filter(({ state }) => state !== 'Z');
}
