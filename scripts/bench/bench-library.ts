import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexProgress } from '#contracts/ports/library.ts';
import type { ReaderPort } from '#contracts/ports/reader.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import { migrate } from '#persistence/migrate.ts';
import { createPostgresLibraryStore, type PostgresLibraryStore } from '#persistence/stores/library-store.ts';
import { createLibrary, type Library } from '#runtime/providers/search/library/library.ts';
import { createPageIndexer } from '#runtime/providers/search/library/page-indexer.ts';
import { createLibraryProvider } from '#runtime/providers/search/library/provider.ts';
import { createSearchEntry } from '#runtime/providers/search/search-entry.ts';
import { startPostgres } from '#runtime/main/postgres/supervisor.ts';
import { systemClock } from '#runtime/main/system-time.ts';

export type BenchLibrary = {
  readonly folder: string;
  readonly library: Library;
  readonly store: PostgresLibraryStore;
  readonly search: SearchPort;
  readonly progress: IndexProgress;
  readonly indexMs: number;
};

/** One folder as the whole library over a throw-away PostgreSQL; everything is gone afterwards. */
export async function withLibrary<T>(
  path: string,
  reader: ReaderPort,
  work: (bench: BenchLibrary) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'yunsou-bench-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'pg'), durable: false });
  try {
    await migrate(postgres.connection);
    const store = createPostgresLibraryStore(postgres.connection);
    const library = createLibrary({ store, indexer: createPageIndexer(reader), clock: systemClock, builtins: null });
    try {
      const startedMs = performance.now();
      const root = await library.approve(path);
      const progress = await library.reindex(root.rootId);
      const indexMs = performance.now() - startedMs;
      const search = createSearchEntry({ provider: createLibraryProvider({ library, store }), clock: systemClock });
      return await work({ folder, library, store, search, progress, indexMs });
    } finally {
      await library.stop();
      await store.close();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
