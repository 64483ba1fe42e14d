import { parseArgs } from 'node:util';
import { fail } from '#contracts/errors.ts';
import { openBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { findNats, Fleet, type Nats } from './load/fleet.ts';
import { openLoadHost, type LoadHost, type LoadHostOptions } from './load/load-host.ts';
import { loadPage } from './load/load-page.ts';
import {
  crossingFields,
  loadLines,
  recoveryFields,
  stopFields,
  watchingFields,
  type LoadReport,
} from './load/load-report.ts';
import { measureCrossing } from './load/measure-crossing.ts';
import { measureRecovery } from './load/measure-recovery.ts';
import { measureResidents, measureSpawn, spawnCrowd } from './load/measure-spawn.ts';
import { measureStop } from './load/measure-stop.ts';
import { measureWake } from './load/measure-wake.ts';
import { measureSpawnLimit } from './load/spawn-limit.ts';
import { writePage } from './report-page.ts';
import { measureWatching } from './runtime/measure-watching.ts';
import { rounded } from './runtime/percentiles.ts';

const PARTS = ['workers', 'stop', 'watching'] as const;
type Part = (typeof PARTS)[number];
const WORKERS = 4;
const HOUR_MS = 3_600_000;

type Options = {
  readonly actors: number;
  readonly json: boolean;
  readonly html: string | undefined;
  readonly database: string | undefined;
  readonly nats: string | undefined;
  readonly skip: ReadonlySet<Part>;
};

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Many actors: created, asleep, woken, on several processes of which one is killed, and stopped under one fence. */
export async function runLoad(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const nats = await findNats(options.nats);
  const database = await openBenchDatabase(options.database);
  try {
    const { version, fsync } = database.server;
    say(`PostgreSQL ${version}, fsync ${fsync}; ${options.actors} actors`);
    const report = await measureLoad(database, nats, options);
    for (const line of loadLines(report)) say(line);
    if (options.html !== undefined) await writePage(options.html, loadPage(report));
    if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
    return 0;
  } finally {
    await database.stop();
  }
}

async function measureLoad(database: BenchDatabase, nats: Nats | null, options: Options): Promise<LoadReport> {
  const { actors, skip } = options;
  const { version: postgres, fsync } = database.server;
  say('creating actors, waking some of them');
  const spawnLimit = await measureSpawnLimit(database.connection, Math.min(actors, 20_000));
  await forget(database);
  const { spawn, wake } = await measureSleepers(database, actors);
  const residents = Math.min(5000, Math.floor(actors / 2));
  const residentBytes = await withHost(database, { workerId: 'residents' }, (load) =>
    measureResidents(load, residents),
  );
  say(
    skip.has('workers') ? 'several processes: left out' : `${WORKERS} processes: messages between them, one is killed`,
  );
  const workers = skip.has('workers') ? null : await measureWorkers(database, nats, actors);
  say(skip.has('stop') ? 'stops: left out' : 'stops with every actor busy');
  const stop = skip.has('stop') ? null : await measureStops(database, actors);
  say(skip.has('watching') ? 'watching: left out' : 'throughput without and with a watcher');
  const watching = skip.has('watching') ? null : await measureWatched(database, actors);
  return {
    actors,
    postgres,
    fsync,
    wire: nats === null ? 'polls' : 'nats',
    spawn_s: rounded(spawn.seconds),
    spawn_per_s: Math.round(spawn.perS),
    spawn_limit_per_s: Math.round(spawnLimit),
    spawn_ratio_to_limit: rounded(spawn.perS / spawnLimit),
    sleeping_bytes_per_actor: rounded(spawn.sleepingBytes, 1),
    resident_bytes_per_actor: Math.round(residentBytes),
    wake_p50_ms: rounded(wake.at(0.5)),
    wake_p99_ms: rounded(wake.at(0.99)),
    ...crossingFields(workers?.crossing ?? null),
    ...recoveryFields(workers?.recovery ?? null),
    ...stopFields(stop),
    ...watchingFields(watching),
  };
}

async function measureSleepers(database: BenchDatabase, actors: number) {
  const residentActors = Math.min(1000, Math.ceil(actors / 10));
  const options = { workerId: 'sleepers', limits: { residentActors } };
  return withHost(database, options, async (load) => {
    const spawn = await measureSpawn(load, actors, residentActors);
    await database.query('analyze');
    const wake = await measureWake(load, actors, Math.min(1000, Math.floor(actors / 2)));
    return { spawn, wake };
  });
}

/** Four processes: messages between them, then one is killed while its actors have work. */
async function measureWorkers(database: BenchDatabase, nats: Nats | null, all: number) {
  if (nats === null) say('no NATS is reachable: between processes only polls carry news');
  const actors = Math.min(all, 100_000);
  const isSmall = all < 5000;
  await withHost(database, { workerId: 'nappers', limits: { residentActors: 1000 } }, (load) =>
    spawnCrowd(load, { kind: 'napper', from: 0, to: actors }, 24 * HOUR_MS),
  );
  await database.query('analyze');
  const fleet = await Fleet.start(database, nats, WORKERS);
  try {
    // a hop that waits for a poll takes a second and more
    const hops = isSmall ? 200 : 1000;
    const crossing = await measureCrossing(database, fleet, nats === null ? WORKERS * 2 : hops);
    const recovery = await measureRecovery(database, fleet, {
      actors,
      quietMs: isSmall ? 2000 : 10_000,
      everyMs: isSmall ? 40 : 10,
    });
    return { crossing, recovery };
  } finally {
    await fleet.stop();
  }
}

function measureStops(database: BenchDatabase, actors: number) {
  const drones = Math.min(10_000, actors - (actors % 2));
  const isSmall = actors < 5000;
  const options = { workerId: 'stops', limits: { residentActors: 20_000 } };
  return withHost(database, options, (load) =>
    measureStop(database, load, { drones, rounds: isSmall ? 3 : 20, busyMs: isSmall ? 500 : 2000 }),
  );
}

function measureWatched(database: BenchDatabase, actors: number) {
  const span = { warmUpMs: 1500, measuredMs: 5000 };
  const watched = Math.min(5000, actors - (actors % 2));
  return measureWatching(database, { actors: watched, rounds: 3, span, project: 'watched' });
}

async function withHost<T>(
  database: BenchDatabase,
  options: LoadHostOptions,
  work: (load: LoadHost) => Promise<T>,
): Promise<T> {
  const load = openLoadHost(database.connection, options);
  try {
    await load.host.start();
    return await work(load);
  } finally {
    await load.stop();
  }
}

/** The rows of the limit are nobody's actors. */
async function forget(database: BenchDatabase): Promise<void> {
  await database.query('truncate actor, mailbox, transition_log');
  await database.query('update shard_lease set owner = null');
}

function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        actors: { type: 'string', default: '10000' },
        json: { type: 'boolean', default: false },
        html: { type: 'string' },
        database: { type: 'string' },
        nats: { type: 'string' },
        skip: { type: 'string', default: '' },
      },
    });
    return {
      actors: actorsOf(values.actors),
      json: values.json,
      html: values.html,
      database: values.database ?? process.env['DATABASE_URL'],
      nats: values.nats ?? process.env['NATS_URL'],
      skip: new Set(
        values.skip
          .split(',')
          .filter((text) => text !== '')
          .map(partOf),
      ),
    };
  } catch (cause) {
    return fail('request.invalid', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function actorsOf(text: string): number {
  const actors = Number(text);
  if (!Number.isInteger(actors) || actors < 100 || actors > 1_000_000) {
    throw new RangeError(`--actors expects a number from 100 to 1000000, not "${text}"`);
  }
  return actors;
}

function partOf(text: string): Part {
  const part = PARTS.find((known) => known === text);
  if (part === undefined) throw new RangeError(`--skip expects some of ${PARTS.join(', ')}, not "${text}"`);
  return part;
}
