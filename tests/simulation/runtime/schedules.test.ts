import { describe, expect, it } from 'vitest';
import { runFleet } from '#tests/support/simulation/fleet/fleet.ts';
import { DEFAULT_WORKERS, generateSchedule } from '#tests/support/simulation/schedule/generate.ts';
import { runSchedule } from '#tests/support/simulation/schedule/run-schedule.ts';
import type { Schedule } from '#tests/support/simulation/schedule/schedule.ts';

const SCHEDULES = Number(process.env['SIMULATION_SCHEDULES'] ?? 20_000);
/** The same in every run, so that a red one can be repeated; `npm run sim` looks elsewhere. */
const BASE_SEED = 1;
/** Kinds of trouble that a run of this size cannot miss; each must really have happened. */
const HAPPENED = [
  ...['kill', 'restart', 'freeze', 'thaw', 'cut', 'mend', 'sever', 'leave', 'late statement', 'answered'],
  ...['committed', 'lost_lease', 'stale_sequence', 'fence_moved', 'hint dropped', 'hint duplicated'],
  ...['effect sent', 'effect unknown', 'row refused', 'quarantined', 'dead letter'],
  ...['commit:before', 'commit:after', 'commit:later', 'commit:slow', 'commit:stall', 'commit:kill'],
  ...['dispatchEffect:after', 'dispatchEffect:later', 'completeEffect:after', 'setAsideMail:later', 'beat:stall'],
];
const EACH_MS = 60;

describe('simulated schedules', () => {
  it(
    '[OB-01, CM-05, CM-06, CM-07, MB-03, MB-04, MB-14, LS-03, LS-10, FX-08, FX-12, FX-15, FN-03, TM-02] no schedule breaks a rule',
    { timeout: 60_000 + SCHEDULES * EACH_MS },
    async () => {
      const result = await runFleet({ seed: BASE_SEED, schedules: SCHEDULES, workers: DEFAULT_WORKERS });
      const { schedules, happened, seconds, processes, counts } = result;
      console.log(
        `${schedules} simulated schedules from seed ${BASE_SEED}: ${happened} happenings, ${counts['committed'] ?? 0} commits, ` +
          `${seconds.toFixed(1)} s on ${processes} processes, ${result.found.length} violations`,
      );
      expect(result.found.slice(0, 5)).toEqual([]);
      expect(schedules).toBe(SCHEDULES);
      // a handful of schedules is for a person who looks at one thing
      if (SCHEDULES >= 2000) expect(HAPPENED.filter((kind) => (counts[kind] ?? 0) === 0)).toEqual([]);
    },
  );

  it('[CM-05] the same schedule gives the same run', async () => {
    for (const seed of [3, 14, 15]) {
      const traces = [await traceOf(generateSchedule(seed)), await traceOf(generateSchedule(seed))];
      expect(traces[0]?.length).toBeGreaterThan(100);
      expect(traces[1]).toEqual(traces[0]);
    }
  });

  it('[CM-05] a schedule that went through JSON is the same schedule', async () => {
    const schedule = generateSchedule(7);
    expect(await traceOf(JSON.parse(JSON.stringify(schedule)) as Schedule)).toEqual(await traceOf(schedule));
  });
});

async function traceOf(schedule: Schedule): Promise<string[]> {
  const lines: string[] = [];
  await runSchedule(schedule, (line) => lines.push(line));
  // how long a step took is of this machine
  return lines.map((line) => line.replace(/"durationMicros":\d+/g, ''));
}
