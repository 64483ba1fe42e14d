import type { LibraryStore } from '#contracts/ports/library-store.ts';
import { findBuiltinRoots, type BuiltinPlaces } from './builtin-roots.ts';
import type { RootLookup } from './site.ts';

/**
 * The approved roots as another process keeps them, asked anew each time: a folder that was withdrawn is not served a
 * moment longer. Built-in folders are taken from this machine where it has them; others must lie at the same path here.
 */
export function createStoredRoots(store: Pick<LibraryStore, 'roots'>, builtins: BuiltinPlaces): RootLookup {
  return {
    root: async (rootId) => {
      const stored = (await store.roots()).find((root) => root.rootId === rootId) ?? null;
      if (stored === null || stored.kind === 'folder') return stored;
      const here = (await findBuiltinRoots(builtins)).find((root) => root.rootId === rootId);
      return here === undefined ? stored : { ...stored, path: here.path };
    },
  };
}
