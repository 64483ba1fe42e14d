import * as z from 'zod';
import { Failure } from '../errors.ts';

export const BrowserContextInput = z.object({
  session_id: z.string(),
  task_id: z.string(),
  /** Address of the work item that may use it; nobody else. */
  owner: z.string(),
  locale: z.string(),
});
export type BrowserContextInput = z.infer<typeof BrowserContextInput>;

/** Work item → its browser context. One action at a time; a second one while one is in flight is ignored. */
export const BrowserContextOrder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('context.navigate'), action_id: z.string(), url: z.string() }),
  z.object({ type: z.literal('context.read'), action_id: z.string() }),
  z.object({ type: z.literal('context.close') }),
]);
export type BrowserContextOrder = z.infer<typeof BrowserContextOrder>;

export const ObservationSummary = z.object({
  observation_id: z.string(),
  document_generation: z.string(),
  final_url: z.string(),
  title: z.string(),
  http_status: z.int().nullable(),
  content_type: z.string(),
});
export type ObservationSummary = z.infer<typeof ObservationSummary>;

export const ReadSummary = z.object({
  source_revision_id: z.string(),
  final_url: z.string(),
  title: z.string(),
  language: z.string(),
  page_kind: z.string(),
  characters: z.int().nonnegative(),
  blocked: z.string().nullable(),
});
export type ReadSummary = z.infer<typeof ReadSummary>;

/** Browser context → its work item. `unknown` means: it may have happened, look again in a new context. */
export const BrowserContextReport = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('context.observed'),
    session_id: z.string(),
    action_id: z.string(),
    observation: ObservationSummary,
  }),
  z.object({ type: z.literal('context.page'), session_id: z.string(), action_id: z.string(), page: ReadSummary }),
  z.object({
    type: z.literal('context.failed'),
    session_id: z.string(),
    action_id: z.string().nullable(),
    outcome: z.enum(['not_dispatched', 'unknown']),
    failure: Failure,
  }),
]);
export type BrowserContextReport = z.infer<typeof BrowserContextReport>;
