import type * as z from 'zod';
import type { LibraryRootView } from '#contracts/http/library.ts';
import type { IndexProgress, LibraryRoot } from '#contracts/ports/library.ts';

export function presentLibraryRoot(
  root: LibraryRoot,
  progress: IndexProgress | undefined,
): z.infer<typeof LibraryRootView> {
  return {
    root_id: root.rootId,
    kind: root.kind,
    label: root.label,
    path: root.path,
    approved_time: new Date(root.approvedAtMs).toISOString(),
    state: progress?.state ?? 'waiting',
    pages: progress?.pages ?? 0,
    failed: (progress?.failed ?? []).map(({ path, reason }) => ({ path, reason })),
    message: progress?.message ?? null,
  };
}
