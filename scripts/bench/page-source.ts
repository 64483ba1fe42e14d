import { silentLogger } from '#contracts/ports/logger.ts';
import { toFailure } from '#contracts/errors.ts';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import type { ReaderPort } from '#contracts/ports/reader.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import { createBrowser } from '#runtime/providers/browser/browser.ts';
import { LIBRARY_HOST } from '#runtime/providers/search/library/library-address.ts';
import { createLibrarySite } from '#runtime/providers/search/library/site.ts';
import type { BenchLibrary } from './bench-library.ts';

export type PageSource = { read(url: string): Promise<ReadPage>; close(): Promise<void> };

/** Reads the bytes that the internal site serves, without a browser. */
export function readFromSite({ library }: BenchLibrary, reader: ReaderPort): PageSource {
  const site = createLibrarySite({ library });
  return {
    async read(url) {
      const { status, headers, body } = await site({ method: 'GET', path: new URL(url).pathname });
      if (status !== 200) throw new Error(`${url} was answered with ${status}`);
      return reader.read({ bytes: body, contentType: headers['content-type'] ?? '', url });
    },
    close: () => Promise.resolve(),
  };
}

const SESSION = { sessionId: 'ses_benchquestions', project: 'bench', taskId: 'bench', owner: 'bench', locale: 'en-US' };

/** Reads each page in Chromium, as the product does. */
export async function readThroughBrowser({ library, folder }: BenchLibrary, reader: ReaderPort): Promise<PageSource> {
  const browser: BrowserPort = createBrowser({
    dataDir: folder,
    reader,
    approvedOrigins: new Map([[LIBRARY_HOST, createLibrarySite({ library })]]),
    logger: silentLogger,
  });
  const signal = new AbortController().signal;
  await browser.openSession(SESSION, signal);
  let actions = 0;
  return {
    async read(url) {
      actions += 1;
      const actionId = `act-${actions}`;
      const navigation = { kind: 'navigate', actionId, url } as const;
      try {
        const { observation } = await browser.navigate(SESSION.sessionId, navigation, signal);
        const { documentGeneration } = observation;
        const reading = { kind: 'read', actionId: `${actionId}-read`, documentGeneration } as const;
        return (await browser.read(SESSION.sessionId, reading, signal)).page;
      } catch (error) {
        throw new Error(`${url}: ${toFailure(error).message}`, { cause: error });
      }
    },
    close: () => browser.stop(),
  };
}
