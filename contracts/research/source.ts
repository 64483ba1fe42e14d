import * as z from 'zod';
import { Sha256, SourceRevisionId, TaskId, Timestamp } from '../ids.ts';
import { Block, PageFields, PageKind, Unread } from './page.ts';

/** How the bytes came: through the browser, or by an approved plain HTTP read (recorded as such, never a silent switch). */
export const RetrievalMethod = z.enum(['browser', 'http_approved']);

/** One page as it was read at one time. Never changed; a later reading is another revision. */
export const SourceRevision = z.object({
  source_revision_id: SourceRevisionId,
  task_id: TaskId.nullable(),
  requested_url: z.string(),
  final_url: z.string(),
  method: RetrievalMethod,
  retrieved_time: Timestamp,
  parser_version: z.string(),
  /** SHA-256 of the UTF-8 bytes of `text`. */
  content_hash: Sha256,
  title: z.string(),
  language: z.string(),
  page_kind: PageKind,
  text: z.string(),
  blocks: z.array(Block),
  tables: z.array(z.array(z.array(z.string()))),
  fields: PageFields,
  unread: z.array(Unread),
  rights: z.object({ visibility: z.enum(['project', 'public']), note: z.string() }),
});
export type SourceRevision = z.infer<typeof SourceRevision>;
