import { describe, expect, it } from 'vitest';
import { createHarness, type Harness } from '#tests/support/harness/harness.ts';
import { watchStore, type Oracle } from '#tests/support/harness/invariants.ts';
import { bossActor, jobActor } from '#tests/support/harness/sample-actors.ts';
import { SeededRandomness } from '#tests/support/harness/seeded-randomness.ts';
import type { CallFault } from '#tests/support/harness/worker-process.ts';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 24);
const ROUNDS = 40;
const JOBS = 8;
const WORKERS = 3;

type World = {
  readonly harness: Harness;
  readonly oracle: Oracle;
  readonly chance: SeededRandomness;
  readonly payments: Map<string, number>;
  /** Ticks whose posting was acknowledged, by job. */
  readonly acknowledged: Map<string, number>;
};

/** Actors, workers, store and wire under random faults, all from one seed. */
async function createWorld(seed: number): Promise<World> {
  const payments = new Map<string, number>();
  const chance = new SeededRandomness(seed);
  const ports = {
    fetch: () => (chance.next() < 0.7 ? Promise.resolve({ text: 'ok' }) : new Promise(() => {})),
    pay: (_input: unknown, fx: { effectId: string }) => {
      payments.set(fx.effectId, (payments.get(fx.effectId) ?? 0) + 1);
      return chance.next() < 0.7 ? Promise.resolve({ receipt: 'r' }) : new Promise(() => {});
    },
  };
  const harness = createHarness({ actors: [jobActor, bossActor], ports, seed, workers: WORKERS });
  const oracle = watchStore(harness.store);
  for (let worker = 0; worker < WORKERS; worker++) await harness.restart(worker);
  await harness.advance(3000);
  await harness.inject(birth('boss/b', { id: 'b' }));
  for (let job = 0; job < JOBS; job++) await harness.inject(birth(`job/j${job}`, { name: `j${job}` }));
  return { harness, oracle, chance, payments, acknowledged: new Map() };
}

const birth = (to: string, input: object) => ({
  from: 'x/y',
  to,
  event: { type: 'runtime.create' },
  create: { input: input as never },
});

async function act({ harness, chance, acknowledged }: World, round: number): Promise<void> {
  const job = `job/j${chance.below(JOBS)}`;
  const other = `job/j${chance.below(JOBS)}`;
  switch (chance.below(11)) {
    case 0:
      return await harness.inject({ from: 'x/y', to: job, event: { type: 'job.fetch' } });
    case 1:
      return await harness.inject({ from: 'x/y', to: job, event: { type: 'job.pay' } });
    case 2:
      return await harness.inject({ from: 'x/y', to: job, event: { type: 'job.wait' } });
    case 3:
      return await harness.inject({ from: 'x/y', to: job, event: { type: 'job.cancel' } });
    case 4:
      return await harness.inject({ from: 'x/y', to: job, event: { type: 'job.explode' } });
    case 5: {
      const children = [`k${round}a`, `k${round}b`];
      await harness.inject({ from: 'x/y', to: 'boss/b', event: { type: 'boss.start', children } as never });
      return await harness.inject({ from: 'x/y', to: `job/${children[0] ?? ''}`, event: { type: 'job.pay' } });
    }
    case 6:
      return await harness.inject({ from: 'x/y', to: job, event: { type: 'job.tell', to: other, text: 't' } as never });
    case 7:
      return await harness.inject({ from: 'x/y', to: 'boss/b', event: { type: 'boss.stop' }, priority: 'operator' });
    case 8:
      return await harness.inject({ from: 'x/y', to: `job/k${chance.below(round + 1)}a`, event: { type: 'job.tick' } });
    case 9:
      return await harness.redeliver(other);
    default:
      acknowledged.set(job, (acknowledged.get(job) ?? 0) + 1);
      return await harness.inject({ from: 'x/y', to: job, event: { type: 'job.tick' } });
  }
}

async function disturb({ harness, chance }: World): Promise<void> {
  const worker = chance.below(WORKERS);
  const faults: CallFault[] = ['before', 'after', 'kill-before', 'kill-after'];
  switch (chance.below(8)) {
    case 0:
      return harness.kill(worker);
    case 1:
      return harness.freeze(worker);
    case 2:
      return await harness.thaw(worker);
    case 3:
      return await harness.restart(worker);
    case 4:
      harness.drop(chance.next());
      return harness.reorder(chance.next() < 0.5);
    case 5: {
      let countdown = chance.below(12);
      const fault = faults[chance.below(faults.length)] ?? null;
      harness.process(worker).onCall = () => (countdown-- === 0 ? fault : null);
      return;
    }
    default:
      return await harness.advance(chance.below(8000));
  }
}

/** Everything works again; what was acknowledged must come true. */
async function heal({ harness }: World): Promise<void> {
  harness.drop(0);
  harness.reorder(false);
  for (let worker = 0; worker < WORKERS; worker++) {
    harness.mend(worker);
    await harness.thaw(worker);
    if (harness.process(worker).isKilled) await harness.restart(worker);
  }
  await harness.advance(120_000);
}

async function simulate(seed: number): Promise<World> {
  const world = await createWorld(seed);
  for (let round = 0; round < ROUNDS; round++) {
    await act(world, round);
    if (world.chance.next() < 0.5) await disturb(world);
    expect([seed, round, world.oracle.problems]).toEqual([seed, round, []]);
  }
  await heal(world);
  world.oracle.atRest();
  return world;
}

describe('random faults', () => {
  it.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
    '[OB-01] [CM-05] [CM-06] [CM-07] [MB-11] seed %i: no commit breaks a rule, nothing acknowledged is lost, `once` is sent at most once',
    async (seed) => {
      const { harness, oracle, payments, acknowledged } = await simulate(seed);
      expect(oracle.problems).toEqual([]);
      expect(oracle.commits).toBeGreaterThan(20);
      for (const [effectId, times] of payments) expect([effectId, times]).toEqual([effectId, 1]);
      for (const [job, count] of acknowledged) {
        const ticks = harness.outcomes(job).filter((line) => line === 'job.tick:handled');
        const story = { job, ticks: ticks.length, ...(ticks.length === count ? {} : { seen: harness.outcomes(job) }) };
        expect(story).toEqual({ job, ticks: count });
        expect(harness.events(job).map((event) => event.seq)).toEqual(ticks.map((_, index) => index + 1));
      }
      for (const cell of harness.store.tables.cells.values())
        expect([cell.address, cell.mail.size]).toEqual([cell.address, 0]);
      await harness.stop();
    },
  );
});
