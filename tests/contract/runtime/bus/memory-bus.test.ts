import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { registerBusContractSuite } from '#tests/support/suites/bus-contract-suite.ts';

registerBusContractSuite('memory', {
  open: () => {
    const bus = createMemoryBus();
    return Promise.resolve({ publisher: bus, subscriber: bus });
  },
  settle: () => new Promise((resolve) => setImmediate(resolve)),
});
