import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { generateSchedule } from '#tests/support/simulation/schedule/generate.ts';
import type { Schedule } from '#tests/support/simulation/schedule/schedule.ts';
import { shrinkSchedule } from '#tests/support/simulation/schedule/shrink.ts';

type Ended = { readonly code: number | null; readonly output: string; readonly errors: string };

function runSim(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/sim.ts', ...args]);
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('close', (code) => resolve({ code, output, errors }));
  });
}

describe('npm run sim', () => {
  it('[SI1] prints the figure on standard output and the base seed on standard error', async () => {
    const { code, output, errors } = await runSim('--seed', '5', '--schedules', '6', '--workers', '2');
    expect(code, errors).toBe(0);
    expect(output).toMatch(/^6 schedules from seed 5, \d+ happenings, .* 0 violations\n$/);
    expect(errors).toContain('base seed 5, 6 schedules of 2 workers');
  });

  it('[SI1] plays a replay', async () => {
    const { code, output, errors } = await runSim('--replay', JSON.stringify(generateSchedule(5)), '--trace');
    expect(code, errors).toBe(0);
    expect(output).toBe('no rule was broken\n');
    expect(errors).toContain('acquireShards');
  });

  it('[SI1] refuses what it does not understand, with the usage', async () => {
    for (const args of [['--seed', 'x'], ['--replay', '{"a":1}'], ['--replay', 'no-such-file'], ['--unknown']]) {
      const { code, output, errors } = await runSim(...args);
      expect([code, output]).toEqual([1, '']);
      expect(errors).toContain('usage: npm run sim');
    }
  });

  it('[SI2] a failing schedule becomes the few steps that matter', async () => {
    const kinds = (schedule: Schedule) => schedule.steps.map((step) => step.verb);
    const violation = { rule: 'OB-01', what: 'a kill and a mail' };
    const run = (candidate: Schedule) => {
      const isBroken = kinds(candidate).includes('kill') && kinds(candidate).includes('mail');
      return Promise.resolve({ violation: isBroken ? violation : null });
    };
    const schedule = firstWith((candidate) => kinds(candidate).includes('kill') && kinds(candidate).includes('mail'));
    const shrunk = await shrinkSchedule(schedule, violation, run);
    expect(kinds(shrunk.schedule).toSorted()).toEqual(['kill', 'mail']);
    expect(shrunk.schedule.steps.map((step) => step.after)).toEqual([0, 0]);
  });
});

function firstWith(fits: (schedule: Schedule) => boolean): Schedule {
  for (let seed = 1; ; seed += 1) {
    const schedule = generateSchedule(seed);
    if (fits(schedule)) return schedule;
  }
}
