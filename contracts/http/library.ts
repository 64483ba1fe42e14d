import * as z from 'zod';
import { Timestamp } from '../ids.ts';

export const LibraryRootView = z.object({
  root_id: z.string(),
  kind: z.enum(['help', 'npm_docs', 'node_docs', 'folder']),
  label: z.string(),
  path: z.string(),
  approved_time: Timestamp,
  state: z.enum(['waiting', 'indexing', 'ready', 'failed']),
  pages: z.int().nonnegative(),
  failed: z.array(z.object({ path: z.string(), reason: z.string() })),
  message: z.string().nullable(),
});
export type LibraryRootView = z.infer<typeof LibraryRootView>;

export const LibraryView = z.object({ roots: z.array(LibraryRootView) });
export type LibraryView = z.infer<typeof LibraryView>;
export const ApproveFolder = z.strictObject({
  path: z.string().min(1).max(4000),
  label: z.string().max(200).optional(),
});
