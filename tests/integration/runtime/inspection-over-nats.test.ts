import { afterAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#contracts/ports/logger.ts';
import type { ProjectHint } from '#contracts/ports/inspection.ts';
import { createMemoryActorStore } from '#persistence/memory/actor-store.ts';
import { connectNatsBus } from '#runtime/bus/nats-bus.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import { pumpActor } from '#tests/support/fakes/pump-actor.ts';
import { startNatsServer } from '#tests/support/nats-server.ts';

const server = await startNatsServer();
afterAll(() => server?.stop());

describe('inspection over NATS', () => {
  if (server === null) {
    it.skip('[LT-04] left out: the program nats-server is not installed', () => {});
    return;
  }

  it('[LT-04] a process without actors of its own hears of commits in another, as long as it watches', async () => {
    const store = createMemoryActorStore({ nowMs: () => systemClock.nowMs() });
    const buses = [await open(), await open()] as const;
    const hostOn = (index: 0 | 1): ActorHost =>
      createActorHost({
        workerId: `worker-${index}`,
        store,
        bus: buses[index],
        definitions: [pumpActor],
        ports: {},
        clock: systemClock,
        randomness: systemRandomness,
      });
    const worker = hostOn(0);
    // never started: it watches and takes no shard
    const web = hostOn(1);
    const hints: ProjectHint[] = [];
    const seqs: (number | null)[] = [];
    try {
      await worker.start();
      web.inspection.watchProject('p', (hint) => hints.push(hint));
      web.inspection.watchActor('p', 'pump/one_two', (seq) => seqs.push(seq));
      const create = { input: { strokes: 0 } };
      let number = 0;
      const touch = async () => {
        number += 1;
        const event = number === 1 ? { type: 'runtime.create' } : { type: 'pump.stroke' };
        const head = { project: 'p', to: 'pump/one_two', from: 'http', messageId: `message-${number}` };
        await worker.client.ask({ ...head, event, ...(number === 1 ? { create } : {}) }, 5_000);
        return hints.flatMap(({ rows }) => rows).length > 0 && seqs.some((seq) => seq !== null);
      };
      await expect.poll(touch).toBe(true);
      expect(hints[0]?.rows[0]).toMatchObject({ address: 'pump/one_two', outcome: 'handled', state: 'running' });
    } finally {
      await web.stop();
      await worker.stop();
      await Promise.all(buses.map((bus) => bus.close()));
    }
  });

  const open = () => connectNatsBus({ url: server.url, logger: silentLogger, prefix: 'inspection-test' });
});
