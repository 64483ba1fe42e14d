import * as z from 'zod';
import { BrowserContextReport, ObservationSummary } from '#contracts/actors/browser-context.ts';
import { RoleReport } from '#contracts/actors/role.ts';
import { WorkEnvelope, WorkItemInput, WorkOrder } from '#contracts/actors/work-item.ts';
import type { SearchResponse } from '#contracts/research/search.ts';

export const WorkItemState = WorkItemInput.extend({
  /** Role runs asked so far; numbers their ids. */
  asked: z.int().nonnegative(),
  /** Browser contexts opened so far; each attempt at a page is a new one. */
  attempt: z.int().nonnegative(),
  session_id: z.string().nullable(),
  observation: ObservationSummary.nullable(),
  briefs: z.array(z.string()),
  pause_requested: z.boolean(),
  envelope: WorkEnvelope.nullable(),
});
export type WorkItemState = z.infer<typeof WorkItemState>;

export const WorkItemMail = z.union([
  WorkOrder,
  RoleReport,
  BrowserContextReport,
  z.object({ type: z.literal('child.fenced'), address: z.string() }),
]);
export type WorkItemMail = z.infer<typeof WorkItemMail>;

export type SearchInput = { readonly briefs: readonly string[]; readonly allowed_domains: readonly string[] };
export type SearchOutput = {
  readonly responses: readonly SearchResponse[];
  readonly started_ms: number;
  readonly ended_ms: number;
};
