import { Durations } from '../runtime/percentiles.ts';
import { pause } from '../runtime/window.ts';
import { mailTo, type LoadHost } from './load-host.ts';

const BETWEEN_MS = 4;
const LONGEST_MS = 10_000;

/**
 * From sending a message to an actor that is not in memory to the answer of the commit that consumed it; one at a time on a
 * host that has nothing else to do.
 */
export async function measureWake(load: LoadHost, actors: number, samples: number): Promise<Durations> {
  const durations = new Durations();
  const step = Math.max(1, Math.floor(actors / samples));
  const count = Math.min(samples, actors);
  for (let sample = 0; sample < count; sample += 1) {
    // far apart, and each only once: no two share a page of the table by being neighbours
    const index = ((sample * 7919) % count) * step;
    durations.add(await pokeOnce(load, `sleeper/a${index}`));
    await pause(BETWEEN_MS);
  }
  return durations;
}

function pokeOnce(load: LoadHost, to: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const tooLate = setTimeout(() => reject(new Error(`${to} did not wake up`)), LONGEST_MS);
    const unwatch = load.watch((entry, nowMs) => {
      if (entry.address !== to) return;
      clearTimeout(tooLate);
      unwatch();
      resolve(nowMs - startedAt);
    });
    load.host.client.send(mailTo(to, { type: 'crowd.poke' })).catch(reject);
  });
}
