import { silentLogger } from '#contracts/ports/logger.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import { createBrowser } from '#runtime/providers/browser/browser.ts';
import { createReaderProcess } from '#runtime/providers/reader/process/reader-process.ts';

export type ProductBrowser = {
  open(session: string): Promise<void>;
  read(session: string, url: string): Promise<ReadPage>;
  close(session: string): Promise<void>;
  stop(): Promise<void>;
};

/** The browser and the reading process put together as the product does it, with one loopback port allowed. */
export function openProductBrowser(folder: string, port: number): ProductBrowser {
  const reader = createReaderProcess();
  const browserPath = process.env['BROWSER_PATH'];
  const browser = createBrowser({
    dataDir: folder,
    reader,
    approvedOrigins: new Map(),
    approvedDestinations: new Set([`127.0.0.1:${port}`]),
    // Nothing but the loopback port is looked for: no page of the measurement reaches the network.
    resolve: (name) => Promise.reject(new Error(`${name} is not looked up`)),
    logger: silentLogger,
    ...(browserPath === undefined ? {} : { browserPath }),
  });
  const { signal } = new AbortController();
  let actions = 0;
  return {
    open: (sessionId) =>
      browser.openSession({ sessionId, project: 'bench', taskId: 'bench', owner: sessionId, locale: 'en-US' }, signal),
    async read(sessionId, url) {
      actions += 1;
      const actionId = `act-${actions}`;
      const { observation } = await browser.navigate(sessionId, { kind: 'navigate', actionId, url }, signal);
      const { documentGeneration } = observation;
      const reading = { kind: 'read', actionId: `${actionId}-read`, documentGeneration } as const;
      return (await browser.read(sessionId, reading, signal)).page;
    },
    close: (sessionId) => browser.closeSession(sessionId),
    async stop() {
      await browser.stop();
      await reader.stop();
    },
  };
}
