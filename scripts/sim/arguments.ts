import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Schedule } from '#tests/support/simulation/schedule/schedule.ts';
import { DEFAULT_WORKERS } from '#tests/support/simulation/schedule/generate.ts';

export const USAGE = `usage: npm run sim -- [--seed N] [--schedules M] [--workers W] [--processes P] [--json]
       npm run sim -- --replay FILE|JSON [--trace] [--json]
`;
const DEFAULT_SCHEDULES = 2000;
const MOST_WORKERS = 8;

export type SimArguments = {
  readonly seed: number;
  readonly schedules: number;
  readonly workers: number;
  readonly processes: number | undefined;
  readonly isJson: boolean;
  readonly isTraced: boolean;
  readonly replay: Schedule | null;
};

/** Throws a RangeError or TypeError whose message says what was expected. */
export function readArguments(args: readonly string[]): SimArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      schedules: { type: 'string' },
      workers: { type: 'string' },
      processes: { type: 'string' },
      replay: { type: 'string' },
      json: { type: 'boolean' },
      trace: { type: 'boolean' },
    },
  });
  const { seed, schedules, workers, processes, replay } = values;
  return {
    // a run without a seed looks where nobody looked before; the seed is printed
    seed: seed === undefined ? Math.floor(Math.random() * 2 ** 30) : wholeNumber('--seed', seed, 2 ** 31),
    schedules: schedules === undefined ? DEFAULT_SCHEDULES : wholeNumber('--schedules', schedules, 2 ** 31),
    workers: workers === undefined ? DEFAULT_WORKERS : wholeNumber('--workers', workers, MOST_WORKERS),
    processes: processes === undefined ? undefined : wholeNumber('--processes', processes, 256),
    isJson: values.json ?? false,
    isTraced: values.trace ?? false,
    replay: replay === undefined ? null : readReplay(replay),
  };
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new RangeError(`${name} is a whole number from 1 to ${most}, not '${text}'`);
  return value;
}

function readReplay(text: string): Schedule {
  const path = resolve(process.env['INIT_CWD'] ?? '.', text);
  const json = text.trimStart().startsWith('{') || !existsSync(path) ? text : readFileSync(path, 'utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    throw new TypeError(`--replay: '${text.slice(0, 80)}' is neither a file nor JSON`);
  }
  const candidate = parsed as Partial<Schedule> | null;
  if (typeof candidate?.seed !== 'number' || !Array.isArray(candidate.steps))
    throw new TypeError('--replay: a replay has a seed and steps; print one with a failing seed');
  return candidate as Schedule;
}
