import { parseArgs } from 'node:util';
import { fail } from '#contracts/errors.ts';
import { openBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { writePage } from './report-page.ts';
import { measureActors, type ActorsMeasured } from './runtime/measure-actors.ts';
import { HAND_SCHEMA, HAND_TABLES, measureByHand } from './runtime/measure-by-hand.ts';
import { measureLimit } from './runtime/measure-limit.ts';
import { median, rounded } from './runtime/percentiles.ts';
import { runtimePage } from './runtime/runtime-page.ts';
import type { RuntimePoint, RuntimeReport } from './runtime/runtime-report.ts';
import type { Rate, Span } from './runtime/window.ts';

const CONCURRENCIES = [1, 8, 64, 1000];
const WARM_UP_MS = 1500;

type Options = {
  readonly json: boolean;
  readonly html: string | undefined;
  readonly span: Span;
  readonly rounds: number;
  readonly concurrencies: readonly number[];
  readonly database: string | undefined;
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Durable steps per second beside their limit, measured in turns in one run; medians of the rounds. */
export async function runRuntime(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const database = await openBenchDatabase(options.database);
  try {
    say(`PostgreSQL ${database.server.version}, fsync ${database.server.fsync}`);
    const points: RuntimePoint[] = [];
    let stateBytes = 0;
    for (const concurrency of options.concurrencies) {
      const { point, snapshotBytes } = await measurePoint(database, concurrency, options);
      points.push(point);
      stateBytes = snapshotBytes;
      say(lineOf(point));
    }
    const { version: postgres, fsync } = database.server;
    const report: RuntimeReport = { state_bytes: stateBytes, postgres, fsync, points };
    if (options.html !== undefined) await writePage(options.html, runtimePage(report));
    if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
    return 0;
  } finally {
    await database.stop();
  }
}

async function measurePoint(database: BenchDatabase, concurrency: number, options: Options) {
  const actors: ActorsMeasured[] = [];
  const limits: Rate[] = [];
  const hands: Rate[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const name = `c${concurrency}r${round}`;
    limits.push(await measureLimit(database, concurrency, options.span, `limit-${name}`));
    await clear(database);
    actors.push(await measureActors(database, concurrency, options.span, `actors-${name}`));
    await clear(database);
    hands.push(await measureByHand(database, concurrency, options.span, `hand-${name}`));
    await clear(database);
  }
  const middle = (rates: readonly Rate[]): number => median(rates.map((rate) => rate.stepsPerS));
  const [steps, limit, byHand] = [middle(actors), middle(limits), middle(hands)];
  const point: RuntimePoint = {
    concurrency,
    limit_steps_per_s: Math.round(limit),
    steps_per_s: Math.round(steps),
    ratio_to_limit: rounded(steps / limit),
    per_transition_steps_per_s: Math.round(byHand),
    ratio_to_per_transition: rounded(steps / byHand),
    p50_ms: rounded(median(actors.map(({ p50Ms }) => p50Ms)), 1),
    p99_ms: rounded(median(actors.map(({ p99Ms }) => p99Ms)), 1),
    cpu_micros_per_step: rounded(median(actors.map(({ cpuMicros }) => cpuMicros)), 1),
  };
  return { point, snapshotBytes: actors[0]?.snapshotBytes ?? 0 };
}

/** What one measurement left must not be worked on, or cleaned up, during the next. */
async function clear(database: BenchDatabase): Promise<void> {
  const tables = ['actor', 'mailbox', 'transition_log', ...HAND_TABLES];
  await database.query(HAND_SCHEMA);
  await database.query(`truncate ${tables.join(', ')}`);
  await database.query('checkpoint');
}

function lineOf(point: RuntimePoint): string {
  const cells = [
    `${point.concurrency} busy actors:`.padStart(18),
    `${point.steps_per_s} steps/s`,
    `limit ${point.limit_steps_per_s} (× ${point.ratio_to_limit})`,
    `by hand ${point.per_transition_steps_per_s} (× ${point.ratio_to_per_transition})`,
    `p50 ${point.p50_ms} ms`,
    `p99 ${point.p99_ms} ms`,
    `${point.cpu_micros_per_step} µs CPU a step`,
  ];
  return cells.join('  ');
}

function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        html: { type: 'string' },
        seconds: { type: 'string', default: '5' },
        rounds: { type: 'string', default: '3' },
        concurrency: { type: 'string', default: CONCURRENCIES.join(',') },
        database: { type: 'string' },
      },
    });
    return {
      json: values.json,
      html: values.html,
      span: { warmUpMs: WARM_UP_MS, measuredMs: positive('seconds', values.seconds) * 1000 },
      rounds: positive('rounds', values.rounds),
      concurrencies: values.concurrency.split(',').map((text) => positive('concurrency', text)),
      database: values.database ?? process.env['DATABASE_URL'],
    };
  } catch (cause) {
    return fail('request.invalid', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new RangeError(`--${name} expects a number above 0, not "${text}"`);
  return value;
}
