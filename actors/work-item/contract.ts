import * as z from 'zod';
import { BrowserContextReport, ObservationSummary } from '#contracts/actors/browser-context.ts';
import { RoleOutput, RoleReport, type Proposal } from '#contracts/actors/role.ts';
import { WorkEnvelope, WorkItemInput, WorkOrder } from '#contracts/actors/work-item.ts';
import { Failure } from '#contracts/errors.ts';
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
  /** Passing failures waited out so far. */
  retries: z.int().nonnegative(),
  /** The failure that is being waited out. */
  wait: z.object({ failure: Failure, delay_ms: z.int().nonnegative(), retry_time: z.string() }).nullable(),
  /** What the verifier accepted, until it was compared with everything else that was read. */
  verified: RoleOutput.nullable(),
});
export type WorkItemState = z.infer<typeof WorkItemState>;

export const WorkItemMail = z.union([
  WorkOrder,
  RoleReport,
  BrowserContextReport,
  z.object({ type: z.literal('child.fenced'), address: z.string() }),
]);
export type WorkItemMail = z.infer<typeof WorkItemMail>;

export type SearchInput = {
  /** Absent from searches that were declared by an older release. */
  readonly task_id?: string;
  readonly briefs: readonly string[];
  readonly allowed_domains: readonly string[];
  readonly asked?: readonly { readonly identity: string; readonly words: string }[];
};

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

export type CompareInput = {
  readonly task_id: string;
  readonly accepted: readonly Proposal[];
  readonly source_revision_ids: readonly string[];
};
/** What stands on other pages beside the quotes that the verifier accepted. */
export type Comparison = {
  /** Number of the family that each cited source belongs to. */
  readonly families: readonly { readonly source_revision_id: string; readonly family: number }[];
  /** By place in `accepted`: the same words with other figures, on a page that tells the same otherwise. */
  readonly contradictions: readonly { readonly index: number; readonly proposals: readonly Proposal[] }[];
};
