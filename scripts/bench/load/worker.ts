// One worker process of the load harness. Ends with its parent, or when it is asked to.

import { silentLogger } from '#contracts/ports/logger.ts';
import type { DatabaseConnection } from '#persistence/connection.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { connectNatsBus } from '#runtime/bus/nats-bus.ts';
import { openLoadHost } from './load-host.ts';

/** Handed over as JSON in this variable. */
export const WORKER_VARIABLE = 'YUNSOU_BENCH_WORKER';
export type WorkerSettings = {
  readonly workerId: string;
  readonly connection: DatabaseConnection;
  readonly nats: { readonly url: string; readonly prefix: string } | null;
};

async function main(settings: WorkerSettings): Promise<void> {
  const { workerId, connection, nats } = settings;
  const bus = nats === null ? createMemoryBus() : await connectNatsBus({ ...nats, logger: silentLogger });
  const load = openLoadHost(connection, { workerId, bus });
  await load.host.start();
  const stop = async (): Promise<void> => {
    await load.stop();
    await bus.close();
    process.exit(0);
  };
  process.once('message', () => void stop());
  process.once('disconnect', () => process.exit(1));
  process.send?.('started');
}

const text = process.env[WORKER_VARIABLE];
if (text !== undefined) await main(JSON.parse(text) as WorkerSettings);
