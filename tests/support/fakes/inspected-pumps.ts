// The real gateway in front of a real host with pumps, over the in-memory store.

import type { ActorEvent } from '#contracts/envelope.ts';
import type { ActorStore, ConsumedMessage } from '#contracts/ports/actor-store.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import { createMemoryActorStore } from '#persistence/memory/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost } from '#runtime/host/actor-host.ts';
import type { HostLimits } from '#runtime/host/limits.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import { startGateway } from './gateway-harness.ts';
import { pumpActor } from './pump-actor.ts';

export type InspectedPumps = Awaited<ReturnType<typeof startInspectedPumps>>;

export async function startInspectedPumps(
  options: { bus?: Bus; limits?: Partial<HostLimits>; store?: ActorStore } = {},
) {
  const memory = createMemoryActorStore({ nowMs: () => systemClock.nowMs() });
  const store = options.store ?? memory;
  const host = createActorHost({
    workerId: 'worker-1',
    store,
    bus: options.bus ?? createMemoryBus(),
    definitions: [pumpActor],
    ports: {},
    clock: systemClock,
    randomness: systemRandomness,
    limits: { pollMs: 50, ...options.limits },
  });
  await host.start();
  const { client, streams, inspection } = host;
  const gateway = await startGateway({ client, streams, inspection, clock: systemClock });
  let messages = 0;
  const ask = (id: string, event: ActorEvent, project = 'default'): Promise<ConsumedMessage> => {
    messages += 1;
    const messageId = `message-${messages}`;
    return client.ask({ project, to: `pump/${id}`, from: 'http', messageId, event }, 5_000);
  };
  return {
    ...gateway,
    store,
    /** Tables of the in-memory store, when that is the one. */
    tables: memory.tables,
    host,
    ask,
    async create(id: string, project = 'default'): Promise<void> {
      const event = { type: 'runtime.create' };
      const create = { input: { strokes: 0 } };
      await client.ask({ project, to: `pump/${id}`, from: 'http', messageId: `create-${id}`, event, create }, 5_000);
    },
    async close(): Promise<void> {
      await gateway.close();
      await host.stop();
    },
  };
}
