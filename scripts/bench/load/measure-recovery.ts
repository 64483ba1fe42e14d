import type { BenchDatabase } from '../bench-database.ts';
import { pause } from '../runtime/window.ts';
import { childName } from './crowd-actors.ts';
import type { Fleet } from './fleet.ts';
import { PROJECT } from './load-host.ts';
import { PacedTraffic } from './paced-traffic.ts';
import { until } from './until.ts';

const PROBES = 500;

export type RecoveryMeasured = {
  readonly seconds: number;
  /** Until the last shard of the killed worker had a new owner. */
  readonly takenOverSeconds: number;
  readonly actors: number;
  readonly recovered: number;
  readonly p99BeforeMs: number;
  /** Of the other workers' traffic between the first shard that changed hands and the last actor that took a step. */
  readonly p99DuringMs: number;
  /** The other workers' traffic, half second by half second, from before the kill on. */
  readonly timeline: readonly { readonly atS: number; readonly p50Ms: number; readonly p99Ms: number }[];
};

/**
 * Kills one of the workers; each of its actors then has a timer that is due or a message. Recovered is an actor that has
 * taken that step: it is in the log, and the row that asked for it is gone.
 */
export async function measureRecovery(
  database: BenchDatabase,
  fleet: Fleet,
  options: { readonly actors: number; readonly quietMs: number; readonly everyMs: number },
): Promise<RecoveryMeasured> {
  const victim = fleet.workerIds.at(-1) ?? '';
  const shards = fleet.shardsOf(victim);
  const expected = await countTimers(database, shards);
  const names = Array.from({ length: options.actors }, (_, index) => childName('napper', index));
  const others = names.filter((name) => fleet.ownerOf(name) !== victim).slice(0, PROBES);
  const traffic = new PacedTraffic(fleet, others, options.everyMs);
  traffic.start();
  await pause(1000);
  const quietAt = performance.now();
  await pause(options.quietMs);
  const killedAt = performance.now();
  await fleet.kill(victim);
  await giveWork(database, shards);
  const { firstAt, takenAt } = await untilTakenOver(database, victim, shards.length);
  await until('every actor took a step', async () => !(await hasWork(database, shards)), {
    everyMs: 200,
    withinMs: 300_000,
  });
  const doneAt = performance.now();
  await pause(1000);
  const endedAt = performance.now();
  await traffic.stop();
  const recovered = await countSteps(database, shards);
  if (recovered !== expected) throw new Error(`${expected} actors had work and ${recovered} did it`);
  return {
    seconds: (doneAt - killedAt) / 1000,
    takenOverSeconds: (takenAt - killedAt) / 1000,
    actors: options.actors,
    recovered,
    p99BeforeMs: traffic.between(quietAt, killedAt).at(0.99),
    p99DuringMs: traffic.between(firstAt, doneAt).at(0.99),
    timeline: timelineOf(traffic, quietAt, killedAt, endedAt),
  };
}

const SLICE_MS = 500;

function timelineOf(traffic: PacedTraffic, fromMs: number, zeroMs: number, toMs: number): RecoveryMeasured['timeline'] {
  const slices: RecoveryMeasured['timeline'][number][] = [];
  for (let at = Math.max(fromMs, zeroMs - 5000); at < toMs; at += SLICE_MS) {
    const durations = traffic.between(at, at + SLICE_MS);
    if (durations.count === 0) continue;
    slices.push({ atS: (at - zeroMs) / 1000, p50Ms: durations.at(0.5), p99Ms: durations.at(0.99) });
  }
  return slices;
}

async function untilTakenOver(
  database: BenchDatabase,
  victim: string,
  shards: number,
): Promise<{ firstAt: number; takenAt: number }> {
  let firstAt: number | null = null;
  const isTaken = async (): Promise<boolean> => {
    const held = await database.query('select from shard_lease where owner = $1', [victim]);
    if (held.length < shards) firstAt ??= performance.now();
    return held.length === 0;
  };
  await until('the shards have new owners', isTaken, { everyMs: 25, withinMs: 60_000 });
  const takenAt = performance.now();
  return { firstAt: firstAt ?? takenAt, takenAt };
}

// Written by nobody in particular while the owner is down: the same as timers that come due and mail that arrives meanwhile.
const DUE = 'update timer set due_at_ms = $2 where shard = any ($1) and right(address, 1)::int % 2 = 0';
const MAIL = `insert into mailbox (mail_id, project, address, message_id, is_outside, shard, priority, payload_hash, envelope)
  select $3::int8 + row_number() over (), $2, a.address, 'herd:1:' || row_number() over (), false, a.shard, 1, '',
    json_build_object('messageId', 'herd:1:' || row_number() over (), 'project', $2::text, 'to', a.address, 'from', 'hive/herd',
      'priority', 'normal', 'event', json_build_object('type', 'crowd.poke'), 'sentAt', $4::text)
  from actor a where a.shard = any ($1) and a.address like 'napper/%' and right(a.address, 1)::int % 2 = 1`;

/** Every second actor gets a due timer, the others a message. */
async function giveWork(database: BenchDatabase, shards: readonly number[]): Promise<void> {
  await database.query(DUE, [shards, Date.now()]);
  const [block] = await database.query<{ first: string }>(`select nextval('mail_id_sequence') as first`);
  // ids far below the block of any host, so that no id is given twice
  await database.query(MAIL, [shards, PROJECT, Number(block?.first ?? 0) - 2 ** 40, new Date().toISOString()]);
}

async function hasWork(database: BenchDatabase, shards: readonly number[]): Promise<boolean> {
  const [row] = await database.query<{ is_left: boolean }>(
    `select exists (select from timer where shard = any ($1) and due_at_ms <= $2)
      or exists (select from mailbox where shard = any ($1)) as is_left`,
    [shards, Date.now()],
  );
  return row?.is_left === true;
}

async function countTimers(database: BenchDatabase, shards: readonly number[]): Promise<number> {
  const text = 'select count(*)::int as n from timer where shard = any ($1)';
  return (await database.query<{ n: number }>(text, [shards]))[0]?.n ?? 0;
}

/** Each did what waited for it, once: rows and actors are both counted. */
async function countSteps(database: BenchDatabase, shards: readonly number[]): Promise<number> {
  const [row] = await database.query<{ rows: number; actors: number }>(
    `select count(*)::int as rows, count(distinct l.address)::int as actors from transition_log l
      join actor a using (project, address)
      where l.project = $1 and l.sender in ('timer', 'hive/herd') and l.outcome = 'handled' and a.shard = any ($2)`,
    [PROJECT, shards],
  );
  if (row !== undefined && row.rows !== row.actors) throw new Error(`${row.actors} actors took ${row.rows} steps`);
  return row?.actors ?? 0;
}
