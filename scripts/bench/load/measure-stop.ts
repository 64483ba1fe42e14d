import type { BenchDatabase } from '../bench-database.ts';
import { Durations } from '../runtime/percentiles.ts';
import { pause } from '../runtime/window.ts';
import { mailTo, type LoadHost } from './load-host.ts';
import { installWitness, witnessed } from './stop-witness.ts';
import { until } from './until.ts';

export type StopMeasured = {
  readonly persisted: Durations;
  readonly drones: number;
  /** Steps of drones and effects sent, before the stops and after them. */
  readonly commits: number;
  readonly commitsAfter: number;
  readonly effects: number;
  readonly effectsAfter: number;
};

/** Longest time a round may take to get all drones busy, and to end them. */
const PATIENCE_MS = 120_000;

/**
 * A queen stops while all her drones are busy under one fence. `persisted`: from the stored order (accepted) to the answer of
 * the commit with the state `stopping`.
 */
export async function measureStop(
  database: BenchDatabase,
  load: LoadHost,
  options: { readonly drones: number; readonly rounds: number; readonly busyMs: number },
): Promise<StopMeasured> {
  await installWitness(database);
  const persisted = new Durations();
  const sums = { commits: 0, commitsAfter: 0, effects: 0, effectsAfter: 0 };
  for (let round = 0; round < options.rounds; round += 1) {
    const scope = `swarm${round}`;
    await startSwarm(load, scope, options.drones);
    await pause(options.busyMs);
    persisted.add(await stopSwarm(load, scope));
    await until('every drone is fenced', () => isFenced(database, scope, options.drones), {
      everyMs: 200,
      withinMs: PATIENCE_MS,
    });
    const { commits, dispatches } = await witnessed(database, scope);
    sums.commits += commits.total;
    sums.commitsAfter += commits.late;
    sums.effects += dispatches.total;
    sums.effectsAfter += dispatches.late;
  }
  return { persisted, drones: options.drones, ...sums };
}

async function startSwarm(load: LoadHost, scope: string, drones: number): Promise<void> {
  const { client } = load.host;
  const queen = `queen/${scope}`;
  const busy = new Set<string>();
  const unwatch = load.watch((entry) => {
    if (entry.expectedSeq > 0 && entry.address.startsWith(`drone/${scope}_`)) busy.add(entry.address);
  });
  await client.ask(mailTo(queen, { type: 'runtime.create' }, { scope }), PATIENCE_MS);
  await client.send(mailTo(queen, { type: 'queen.start', drones } as { type: string }));
  // an effect waits for its place, so a drone that hums may not have taken a second step yet
  await until('the drones are busy', () => busy.size >= drones / 2, { withinMs: PATIENCE_MS });
  unwatch();
}

async function stopSwarm(load: LoadHost, scope: string): Promise<number> {
  const queen = `queen/${scope}`;
  let acceptedAt = Number.NaN;
  const persistedAt = new Promise<number>((resolve) => {
    const unwatch = load.watch((entry, nowMs) => {
      if (entry.address !== queen || !entry.fencesSet.some(({ open }) => !open)) return;
      unwatch();
      resolve(nowMs);
    });
  });
  const order = mailTo(queen, { type: 'queen.stop', drones: 0 } as { type: string });
  await load.host.client.send({ ...order, priority: 'operator' });
  acceptedAt = performance.now();
  return Math.max(0, (await persistedAt) - acceptedAt);
}

async function isFenced(database: BenchDatabase, scope: string, drones: number): Promise<boolean> {
  const text = `select count(*)::int as n from actor where address like $1 and status = 'fenced'`;
  const [row] = await database.query<{ n: number }>(text, [`drone/${scope}\\_%`]);
  return row?.n === drones;
}
