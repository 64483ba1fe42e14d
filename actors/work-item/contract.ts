import * as z from 'zod';
import { BrowserContextReport, ObservationSummary } from '#contracts/actors/browser-context.ts';
import { RoleReport } from '#contracts/actors/role.ts';
import { WorkEnvelope, WorkItemInput, WorkOrder } from '#contracts/actors/work-item.ts';
import type { Failure } from '#contracts/errors.ts';
import type { SearchReason, SearchResponse } from '#contracts/research/search.ts';

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

/** One brief and what became of it. Each is an item of its own; one that repeats another is not looked up at all. */
export type Lookup = {
  /** From 1, in the order of the briefs. */
  readonly number: number;
  readonly brief: string;
  readonly identity: string;
  readonly reason: SearchReason;
  /** The brief it repeats; null when it was looked up. */
  readonly same_as: string | null;
  readonly provider: string;
  /** What the provider told it looked up, also when it failed afterwards. */
  readonly queries: readonly string[];
  readonly response: SearchResponse | null;
  readonly failure: Failure | null;
  readonly started_ms: number;
  readonly ended_ms: number;
};
/** As effects answered before briefs were told apart; one that ended before an update is delivered after it. */
export type EarlierSearchOutput = {
  readonly responses: readonly SearchResponse[];
  readonly started_ms: number;
  readonly ended_ms: number;
};
export type SearchOutput = { readonly lookups: readonly Lookup[] } | EarlierSearchOutput;
