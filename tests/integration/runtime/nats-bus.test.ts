import { createConnection } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { silentLogger } from '#contracts/ports/logger.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import { connectNatsBus } from '#runtime/bus/nats-bus.ts';
import { registerBusContractSuite } from '#tests/support/suites/bus-contract-suite.ts';
import { startNatsServer } from '#tests/support/nats-server.ts';

const started = process.env['NATS_URL'] === undefined ? await startNatsServer() : null;
const url = process.env['NATS_URL'] ?? started?.url ?? 'nats://127.0.0.1:4222';

/** NATS has no flush on the port; a round trip over the same connections tells that all before it arrived. */
async function roundTrip({ publisher, subscriber }: { publisher: Bus; subscriber: Bus }): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    await new Promise<void>((resolve) => {
      const unsubscribe = subscriber.subscribe('sync.round', () => {
        unsubscribe();
        clearInterval(repeat);
        resolve();
      });
      const repeat = setInterval(() => publisher.publish('sync.round', ''), 5);
    });
  }
}

if (await isReachable(url)) {
  registerBusContractSuite('NATS', {
    open: async () => {
      const prefix = `test-${Math.random().toString(36).slice(2)}`;
      const open = () => connectNatsBus({ url, logger: silentLogger, prefix });
      return { publisher: await open(), subscriber: await open() };
    },
    settle: roundTrip,
  });
} else {
  describe('bus contract: NATS', () => {
    it.skip(`[OB-02] left out: no NATS server at NATS_URL or 127.0.0.1:4222, and no nats-server program`, () => {});
  });
}

describe('NATS bus', () => {
  afterAll(() => started?.stop());

  it('[OB-08] a server that does not answer is a clear failure', async () => {
    const connecting = connectNatsBus({
      url: 'nats://someone:hush@127.0.0.1:9',
      logger: silentLogger,
      connectTimeoutMs: 300,
    });
    await expect(connecting).rejects.toMatchObject({ failure: { code: 'store.unavailable' } });
    await expect(connecting).rejects.not.toThrow(/hush/);
  });
});

function isReachable(address: string): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port || 4222), timeout: 500 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}
