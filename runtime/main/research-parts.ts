import type { BrowserPort } from '#contracts/ports/browser.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import { createBrowser } from '#runtime/providers/browser/browser.ts';
import { createReaderProcess } from '#runtime/providers/reader/process/reader-process.ts';
import { LIBRARY_HOST } from '#runtime/providers/search/library/library-address.ts';
import { createLibrary, type Library } from '#runtime/providers/search/library/library.ts';
import { createPageIndexer } from '#runtime/providers/search/library/page-indexer.ts';
import { createLibraryProvider } from '#runtime/providers/search/library/provider.ts';
import { createLibrarySite } from '#runtime/providers/search/library/site.ts';
import { createSearchEntry } from '#runtime/providers/search/search-entry.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import { helpDir } from './facts.ts';
import { systemClock } from './system-time.ts';

export type ResearchParts = {
  readonly library: Library;
  readonly search: SearchPort;
  readonly browser: BrowserPort;
  stop(): Promise<void>;
};

type ResearchOptions = { readonly config: Config; readonly database: Database; readonly logger: Logger };

/** Library, search over it, and the browser that reads what was found. Indexing goes on in the background. */
export async function openResearch({ config, database, logger }: ResearchOptions): Promise<ResearchParts> {
  const reader = createReaderProcess();
  const library = createLibrary({
    store: database.library,
    indexer: createPageIndexer(reader),
    clock: systemClock,
    builtins: { helpFolder: helpDir, execPath: process.execPath, npmExecPath: process.env['npm_execpath'] },
  });
  const browser = createBrowser({
    dataDir: config.dataDir,
    reader,
    approvedOrigins: new Map([[LIBRARY_HOST, createLibrarySite({ library })]]),
    logger,
    ...(config.browserPath === null ? {} : { browserPath: config.browserPath }),
  });
  const provider = createLibraryProvider({ library, store: database.library });
  await library.start();
  return {
    library,
    browser,
    search: createSearchEntry({ provider, clock: systemClock }),
    stop: async () => {
      await library.stop();
      await browser.stop();
      await reader.stop();
    },
  };
}
