import type { Ready } from '#contracts/http/system.ts';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import type { LibraryPort } from '#contracts/ports/library.ts';
import type { Database } from './database.ts';
import { engineName } from './facts.ts';
import type { Wire } from './wire.ts';

type Parts = {
  readonly database: Database;
  readonly wire: Wire;
  readonly browser: BrowserPort;
  readonly library: LibraryPort;
};

/** OP-01: asks the database, starts the real browser, looks at the library. A part that is not there is named, never assumed. */
export function createReadiness({ database, wire, browser, library }: Parts): () => Promise<Ready> {
  return async () => {
    const [databasePart, browserPart, libraryPart] = await Promise.all([
      attempt(async () => ({ ok: true, detail: await database.probe() })),
      attempt(async () => {
        const health = await browser.health();
        return { ok: health.ok, detail: health.problem ?? `${health.engine} ${health.version}` };
      }),
      attempt(async () => {
        const progress = await library.progress();
        const pages = progress.reduce((sum, root) => sum + root.pages, 0);
        const busy = progress.some((root) => root.state === 'waiting' || root.state === 'indexing');
        return {
          ok: true,
          detail: busy ? `indexing, ${pages} pages so far` : `${pages} pages in ${progress.length} folders`,
        };
      }),
    ]);
    return {
      ready: databasePart.ok && browserPart.ok && libraryPart.ok,
      database: databasePart,
      wire: { ok: true, detail: wire.detail },
      browser: browserPart,
      library: libraryPart,
      engine: engineName,
    };
  };
}

type Part = Ready['database'];

async function attempt(look: () => Promise<Part>): Promise<Part> {
  try {
    return await look();
  } catch (thrown) {
    return { ok: false, detail: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
