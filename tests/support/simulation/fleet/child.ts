// A process that runs schedules. The engine is loaded after the job came, so that a mutation is in place before it.

import { register } from 'node:module';
import { addCounts, type Counts, type Found, type Job, type Report } from './job.ts';

const REPORT_EVERY_MS = 250;

async function work(job: Job): Promise<void> {
  if (job.mutation !== null) register('./mutation-hook.mjs', import.meta.url, { data: job.mutation });
  const { runSchedule } = await import('../schedule/run-schedule.ts');
  const { generateSchedule } = await import('../schedule/generate.ts');
  let schedules = 0;
  let happened = 0;
  let counts: Counts = {};
  let found: Found[] = [];
  let reportedAt = performance.now();
  const report = (isLast: boolean): void => {
    const message: Report = { schedules, happened, counts, found, isLast };
    process.send?.(message);
    schedules = happened = 0;
    counts = {};
    found = [];
    reportedAt = performance.now();
  };
  for (let seed = job.from; seed < job.end; seed += job.stride) {
    const outcome = await runSchedule(generateSchedule(seed, job.workers));
    schedules += 1;
    happened += outcome.happened;
    counts = addCounts(counts, outcome.counts);
    if (outcome.violation !== null) found.push({ ...outcome.violation, seed });
    if (found.length > 0 && job.stopAtFirst) break;
    if (performance.now() - reportedAt > REPORT_EVERY_MS) report(false);
  }
  report(true);
}

// whoever started it is gone: nobody would hear the rest
process.once('disconnect', () => process.exit());

process.once('message', (job: Job) => {
  void work(job).then(
    () => process.disconnect(),
    (cause: unknown) => {
      process.stderr.write(`${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`);
      process.exit(1);
    },
  );
});
