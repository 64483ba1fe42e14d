import { pause } from '../runtime/window.ts';
import { liveBytes } from './memory.ts';
import { mailTo, type LoadHost } from './load-host.ts';
import { until } from './until.ts';

/** They take turns, so that the writers never wait for the next asking. */
const HIVES = 4;

export type Crowd = { readonly kind: 'sleeper' | 'napper'; readonly from: number; readonly to: number };

/** Creates actors through other actors; resolves with the seconds until the first state of the last one was committed. */
export async function spawnCrowd(load: LoadHost, { kind, from, to }: Crowd, napMs = 0): Promise<number> {
  const { client } = load.host;
  const names = Array.from({ length: HIVES }, (_, index) => `hive/h${index}`);
  for (const self of names) await client.ask(mailTo(self, { type: 'runtime.create' }, { self }), 60_000);
  const count = to - from;
  let born = 0;
  let lastAtMs = 0;
  const unwatch = load.watch((entry, nowMs) => {
    if (entry.expectedSeq !== 0 || !entry.address.startsWith(kind)) return;
    born += 1;
    lastAtMs = nowMs;
  });
  const startedAt = performance.now();
  const share = Math.ceil(count / HIVES);
  await Promise.all(
    names.map((self, index) => {
      const part = { from: Math.min(to, from + index * share), to: Math.min(to, from + (index + 1) * share) };
      return client.send(mailTo(self, { type: 'hive.grow', kind, napMs, ...part } as { type: string }));
    }),
  );
  await until(`${count} actors exist`, () => born >= count, { withinMs: 60_000 + count });
  unwatch();
  return (lastAtMs - startedAt) / 1000;
}

export type SpawnMeasured = { readonly perS: number; readonly seconds: number; readonly sleepingBytes: number };

/**
 * Creates the sleepers. Memory is compared between two moments at which as many actors are resident as may be, so the
 * difference is what actors that sleep cost.
 */
export async function measureSpawn(load: LoadHost, actors: number, residentCap: number): Promise<SpawnMeasured> {
  const warm = Math.min(Math.ceil(actors / 2), residentCap * 2);
  const warmSeconds = await spawnCrowd(load, { kind: 'sleeper', from: 0, to: warm });
  await pause(200);
  const before = await liveBytes();
  const seconds = await spawnCrowd(load, { kind: 'sleeper', from: warm, to: actors });
  await pause(200);
  const after = await liveBytes();
  const asleep = actors - warm;
  return { perS: asleep / seconds, seconds: seconds + warmSeconds, sleepingBytes: (after - before) / asleep };
}

/** What an actor in memory costs: a poke brings it in, and with room for all of them it stays. */
export async function measureResidents(load: LoadHost, count: number): Promise<number> {
  const { host } = load;
  const before = await liveBytes();
  const first = host.stats().residents;
  let handled = 0;
  const unwatch = load.watch(() => (handled += 1));
  for (let start = 0; start < count; start += 64) {
    const names = Array.from({ length: Math.min(64, count - start) }, (_, at) => `sleeper/a${start + at}`);
    await Promise.all(names.map((to) => host.client.send(mailTo(to, { type: 'crowd.poke' }))));
  }
  await until(`${count} actors are resident`, () => handled >= count);
  unwatch();
  await pause(200);
  const after = await liveBytes();
  return (after - before) / Math.max(1, host.stats().residents - first);
}
