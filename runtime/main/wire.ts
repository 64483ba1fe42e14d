import type { Bus } from '#contracts/ports/bus.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { connectNatsBus } from '#runtime/bus/nats-bus.ts';
import type { Config } from './config.ts';

export type Wire = {
  readonly bus: Bus;
  /** A wire that is away costs latency, so it makes nobody unready. */
  look(): { readonly ok: boolean; readonly detail: string };
  stop(): Promise<void>;
};

/** NATS when it is configured, else hints inside the process. */
export async function openWire(config: Config, logger: Logger): Promise<Wire> {
  if (config.natsUrl === null) {
    const bus = createMemoryBus();
    return { bus, look: () => ({ ok: true, detail: 'in this process' }), stop: () => bus.close() };
  }
  const bus = await connectNatsBus({ url: config.natsUrl, logger });
  return {
    bus,
    look: () =>
      bus.isConnected() ? { ok: true, detail: 'NATS' } : { ok: false, detail: 'NATS does not answer; polling instead' },
    stop: () => bus.close(),
  };
}
