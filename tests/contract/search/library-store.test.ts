import { MemoryLibraryStore } from '#persistence/memory/library-store.ts';
import { libraryStoreSuite } from '#tests/support/suites/library-store-suite.ts';

libraryStoreSuite('in memory', () => Promise.resolve(new MemoryLibraryStore()));
