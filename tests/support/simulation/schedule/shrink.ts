// Delta debugging: the fewest steps, each as plain as possible, that still break the same rule.

import type { Violation } from '../oracle/violation.ts';
import { runSchedule, type Outcome } from './run-schedule.ts';
import type { Schedule, Step } from './schedule.ts';

const MOST_RUNS = 3000;

export type Shrunk = { readonly schedule: Schedule; readonly violation: Violation; readonly runs: number };

export async function shrinkSchedule(
  schedule: Schedule,
  violation: Violation,
  run: (candidate: Schedule) => Promise<Pick<Outcome, 'violation'>> = runSchedule,
): Promise<Shrunk> {
  let runs = 0;
  let best = schedule;
  let seen = violation;
  const fails = async (candidate: Schedule): Promise<boolean> => {
    if (runs >= MOST_RUNS) return false;
    runs += 1;
    const outcome = await run(candidate);
    if (outcome.violation?.rule !== violation.rule) return false;
    best = candidate;
    seen = outcome.violation;
    return true;
  };
  await fails({ ...schedule, limits: {} });
  await dropSteps(() => best, fails);
  await calmSteps(() => best, fails);
  await dropSteps(() => best, fails);
  return { schedule: best, violation: seen, runs };
}

type Judge = (candidate: Schedule) => Promise<boolean>;

/** Leaves out ever smaller pieces. */
async function dropSteps(best: () => Schedule, fails: Judge): Promise<void> {
  let size = Math.ceil(best().steps.length / 2);
  while (size >= 1) {
    let hasDropped = false;
    for (let start = 0; start < best().steps.length;) {
      const steps = best().steps.filter((_, index) => index < start || index >= start + size);
      if (await fails({ ...best(), steps })) hasDropped = true;
      else start += size;
    }
    if (!hasDropped || size > best().steps.length) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
}

/** Fewer happenings after each step. */
async function calmSteps(best: () => Schedule, fails: Judge): Promise<void> {
  for (let index = 0; index < best().steps.length; index++) {
    const step = best().steps[index];
    if (step === undefined) continue;
    for (const after of [0, 1, Math.floor(step.after / 2)]) {
      if (after < step.after && (await fails(withStep(best(), index, { ...step, after })))) break;
    }
  }
}

function withStep(schedule: Schedule, index: number, step: Step): Schedule {
  return { ...schedule, steps: schedule.steps.map((old, at) => (at === index ? step : old)) };
}
