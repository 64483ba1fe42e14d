import { createMemoryActorStore } from '#persistence/memory/actor-store.ts';
import { systemClock } from '#runtime/main/system-time.ts';
import { readsOfStore } from '#tests/support/fakes/domain-reads.ts';
import { gatewaySuite } from '#tests/support/suites/gateway-suite.ts';

gatewaySuite('in memory', () => {
  const store = createMemoryActorStore({ nowMs: () => systemClock.nowMs() });
  return Promise.resolve({ store, reads: readsOfStore(store), close: () => Promise.resolve() });
});
