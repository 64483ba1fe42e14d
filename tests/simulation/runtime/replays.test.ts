import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runSchedule } from '#tests/support/simulation/schedule/run-schedule.ts';
import type { Schedule } from '#tests/support/simulation/schedule/schedule.ts';

const FOLDER = new URL('../../support/simulation/replays/', import.meta.url);

describe('schedules that broke a rule once', () => {
  it.each(readdirSync(FOLDER))('[TM-03] [CM-05] %s', async (name) => {
    const schedule = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Schedule;
    const outcome = await runSchedule(schedule);
    expect(outcome.violation).toBeNull();
    expect(outcome.counts['committed']).toBeGreaterThan(5);
  });
});
