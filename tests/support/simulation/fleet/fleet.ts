// Schedules on as many processes as there are cores.

import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { addCounts, type Counts, type Found, type Job, type Mutation, type Report } from './job.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

export type FleetOptions = {
  readonly seed: number;
  readonly schedules: number;
  readonly workers: number;
  readonly processes?: number;
  readonly stopAtFirst?: boolean;
  readonly mutation?: Mutation;
  readonly onProgress?: (done: number, found: readonly Found[]) => void;
};

export type FleetResult = {
  readonly schedules: number;
  readonly happened: number;
  readonly counts: Counts;
  readonly found: readonly Found[];
  readonly seconds: number;
  readonly processes: number;
};

export async function runFleet(options: FleetOptions): Promise<FleetResult> {
  const { seed, schedules, workers } = options;
  const processes = Math.max(1, Math.min(options.processes ?? availableParallelism(), schedules));
  const startedAt = performance.now();
  let done = 0;
  let happened = 0;
  let counts: Counts = {};
  const found: Found[] = [];
  const children: ChildProcess[] = [];
  const hear = (report: Report): void => {
    done += report.schedules;
    happened += report.happened;
    counts = addCounts(counts, report.counts);
    found.push(...report.found);
    options.onProgress?.(done, found);
    // what the others would still find is not asked for
    if (found.length > 0 && options.stopAtFirst === true) for (const child of children) child.kill('SIGKILL');
  };
  const jobs = Array.from({ length: processes }, (_, index): Job => ({
    from: seed + index,
    end: seed + schedules,
    stride: processes,
    workers,
    stopAtFirst: options.stopAtFirst ?? false,
    mutation: options.mutation ?? null,
  }));
  try {
    await Promise.all(jobs.map((job) => runChild(job, children, hear)));
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return { schedules: done, happened, counts, found: found.toSorted((a, b) => a.seed - b.seed), seconds, processes };
}

function runChild(job: Job, children: ChildProcess[], hear: (report: Report) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(CHILD, [], { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    children.push(child);
    let isDone = false;
    child.on('message', (report: Report) => {
      isDone ||= report.isLast;
      hear(report);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (isDone || signal === 'SIGKILL') resolve();
      else reject(new TypeError(`a process of the simulation ended with ${code ?? signal ?? 'nothing'}`));
    });
    child.send(job);
  });
}
