import { MemoryViewerStore } from '#persistence/memory/viewer-store.ts';
import { ManualClock } from '#tests/support/fakes/manual-clock.ts';
import { viewerStoreSuite } from '#tests/support/suites/viewer-store-suite.ts';

viewerStoreSuite('in memory', () => Promise.resolve(new MemoryViewerStore(new ManualClock())));
