import type { BrowserPort } from '#contracts/ports/browser.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { SearchUsage } from '#contracts/research/search.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import { createBrowser } from '#runtime/providers/browser/browser.ts';
import { createReaderProcess, type ReaderProcess } from '#runtime/providers/reader/process/reader-process.ts';
import type { BuiltinPlaces } from '#runtime/providers/search/library/builtin-roots.ts';
import { LIBRARY_HOST } from '#runtime/providers/search/library/library-address.ts';
import { createLibrary, type Library } from '#runtime/providers/search/library/library.ts';
import { createPageIndexer } from '#runtime/providers/search/library/page-indexer.ts';
import { createLibrarySite } from '#runtime/providers/search/library/site.ts';
import { createStoredRoots } from '#runtime/providers/search/library/stored-roots.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import { helpDir } from './facts.ts';
import { openSearch } from './search.ts';
import { SessionKeeper } from './session-keeper.ts';
import { Stack } from './stack.ts';
import { systemClock } from './system-time.ts';
import { ViewerFeed } from './viewer-feed.ts';
import type { Wire } from './wire.ts';

/** What the roles of this process need; `null`: it is in another process. */
export type ResearchParts = {
  /** With the web: it is administered and indexed there. */
  readonly library: Library | null;
  readonly search: SearchPort | null;
  readonly browser: BrowserPort | null;
  stop(): Promise<void>;
};

type ResearchOptions = {
  readonly config: Config;
  readonly database: Database;
  readonly wire: Wire;
  readonly logger: Logger;
  /** Who keeps the accounts of searches. */
  readonly onUsage: (usage: SearchUsage) => void;
};

const builtins: BuiltinPlaces = {
  helpFolder: helpDir,
  execPath: process.execPath,
  npmExecPath: process.env['npm_execpath'],
};

/** Library, search over it, and the browser that reads what was found. Indexing goes on in the background. */
export async function openResearch(options: ResearchOptions): Promise<ResearchParts> {
  const { roles } = options.config;
  const opened = new Stack();
  // Its process starts with the first page, so a role that reads none has none.
  const reader = opened.add(createReaderProcess());
  const library = roles.includes('web') ? openLibrary(options, reader, opened) : null;
  const browser = roles.includes('browser') ? openBrowser(options, { reader, library }, opened) : null;
  const search = roles.includes('worker') ? await openSearch({ ...options, library, environment: process.env }) : null;
  await library?.start();
  return { library, browser, search, stop: () => opened.stopAll() };
}

function openLibrary({ database }: ResearchOptions, reader: ReaderProcess, opened: Stack): Library {
  const store = database.library;
  return opened.add(createLibrary({ store, indexer: createPageIndexer(reader), clock: systemClock, builtins }));
}

type Shared = { readonly reader: ReaderProcess; readonly library: Library | null };

function openBrowser(options: ResearchOptions, { reader, library }: Shared, opened: Stack): BrowserPort {
  const { config, database, wire, logger } = options;
  const roots = library ?? createStoredRoots(database.library, builtins);
  const browser = createBrowser({
    dataDir: config.dataDir,
    reader,
    approvedOrigins: new Map([[LIBRARY_HOST, createLibrarySite({ library: roots })]]),
    robotsPolicy: config.robots,
    approvedDestinations: config.internalSites,
    logger,
    ...(config.browserPath === null ? {} : { browserPath: config.browserPath }),
  });
  const shared = { bus: wire.bus, clock: systemClock, logger };
  const shown = new ViewerFeed({ browser, store: database.viewer, ...shared });
  return opened.add(new SessionKeeper({ browser: shown, store: database.actors, ...shared }));
}
