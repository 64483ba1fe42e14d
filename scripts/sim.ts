// Simulated schedules of the actor runtime, many or one.
//
//   SI1  Standard output has the result, standard error the progress; the exit code is 1 when a rule was broken.
//   SI2  A failing seed comes with the rule, what happened, and the shortest replay that was found.

import { isDeepStrictEqual } from 'node:util';
import { runFleet, type FleetResult } from '#tests/support/simulation/fleet/fleet.ts';
import type { Found } from '#tests/support/simulation/fleet/job.ts';
import { generateSchedule } from '#tests/support/simulation/schedule/generate.ts';
import { runSchedule } from '#tests/support/simulation/schedule/run-schedule.ts';
import { shrinkSchedule, type Shrunk } from '#tests/support/simulation/schedule/shrink.ts';
import { readArguments, USAGE, type SimArguments } from './sim/arguments.ts';

const SHOWN_SEEDS = 10;

async function main(): Promise<number> {
  let args: SimArguments;
  try {
    args = readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return 1;
  }
  return args.replay === null ? runMany(args) : replay(args, args.replay);
}

async function runMany(args: SimArguments): Promise<number> {
  process.stderr.write(`simulation: base seed ${args.seed}, ${args.schedules} schedules of ${args.workers} workers\n`);
  let shownAt = performance.now();
  const { seed, schedules, workers, processes } = args;
  const result = await runFleet({
    ...{ seed, schedules, workers, ...(processes === undefined ? {} : { processes }) },
    onProgress: (done, found) => {
      if (performance.now() - shownAt < 2000) return;
      shownAt = performance.now();
      process.stderr.write(`${done} of ${args.schedules}, ${found.length} broken\n`);
    },
  });
  const [first] = result.found;
  const shrunk = first === undefined ? null : await explain(first, args.workers);
  if (args.isJson) process.stdout.write(`${JSON.stringify({ seed: args.seed, ...result, replay: shrunk })}\n`);
  else process.stdout.write(summary(args, result, shrunk));
  return result.found.length > 0 ? 1 : 0;
}

async function explain(found: Found, workers: number): Promise<Shrunk | null> {
  process.stderr.write(`seed ${found.seed} broke ${found.rule}: ${found.what}; looking for a shorter schedule\n`);
  const schedule = generateSchedule(found.seed, workers);
  const { violation } = await runSchedule(schedule);
  const { rule, what } = found;
  if (violation === null || !isDeepStrictEqual(violation, { rule, what })) {
    process.stderr.write('it does not break the same way again: the simulation itself is not deterministic\n');
    return null;
  }
  return shrinkSchedule(schedule, violation);
}

function summary(args: SimArguments, result: FleetResult, shrunk: Shrunk | null): string {
  const { schedules, happened, seconds, processes, found } = result;
  const each = ((seconds * 1000 * processes) / Math.max(1, schedules)).toFixed(1);
  const lines = [
    `${schedules} schedules from seed ${args.seed}, ${happened} happenings, ${seconds.toFixed(1)} s on ${processes} processes ` +
      `(${each} ms each), ${found.length} violations`,
    ...found.slice(0, SHOWN_SEEDS).map(({ seed, rule, what }) => `seed ${seed}: [${rule}] ${what}`),
  ];
  if (shrunk !== null) {
    const { violation, schedule, runs } = shrunk;
    lines.push(`shortest replay (${schedule.steps.length} steps, ${runs} runs): [${violation.rule}] ${violation.what}`);
    lines.push(`npm run sim -- --replay '${JSON.stringify(schedule)}'`);
  }
  return `${lines.join('\n')}\n`;
}

async function replay(args: SimArguments, schedule: NonNullable<SimArguments['replay']>): Promise<number> {
  const trace = args.isTraced ? (line: string) => void process.stderr.write(`${line}\n`) : undefined;
  const outcome = await runSchedule(schedule, trace);
  const { violation } = outcome;
  if (args.isJson) process.stdout.write(`${JSON.stringify(outcome)}\n`);
  else process.stdout.write(violation === null ? 'no rule was broken\n' : `[${violation.rule}] ${violation.what}\n`);
  return violation === null ? 0 : 1;
}

process.exitCode = await main();
