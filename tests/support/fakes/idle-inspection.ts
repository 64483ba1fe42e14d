import type { Inspection } from '#contracts/ports/inspection.ts';
import { createMemoryActorStore } from '#persistence/memory/actor-store.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';

/** The real inspection of a store in which nothing ever happened, for tests that look elsewhere. */
export function idleInspection(): Inspection {
  return createActorHost({
    workerId: 'idle',
    store: createMemoryActorStore({ nowMs: () => systemClock.nowMs() }),
    bus: createMemoryBus(),
    definitions: [],
    ports: {},
    clock: systemClock,
    randomness: systemRandomness,
  }).inspection;
}
