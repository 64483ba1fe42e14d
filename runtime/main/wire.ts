import type { Bus } from '#contracts/ports/bus.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { connectNatsBus } from '#runtime/bus/nats-bus.ts';
import type { Config } from './config.ts';

export type Wire = { readonly bus: Bus; readonly detail: string; stop(): Promise<void> };

/** NATS when it is configured, else hints inside the process. A NATS that was asked for and does not answer is an error. */
export async function openWire(config: Config, logger: Logger): Promise<Wire> {
  if (config.natsUrl === null) {
    const bus = createMemoryBus();
    return { bus, detail: 'in this process', stop: () => bus.close() };
  }
  const bus = await connectNatsBus({ url: config.natsUrl, logger });
  return { bus, detail: 'NATS', stop: () => bus.close() };
}
