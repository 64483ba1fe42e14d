import * as z from 'zod';
import { AssertionId, EvidenceId, SourceRevisionId, TaskId } from '../ids.ts';

export const Stance = z.enum(['supports', 'contradicts', 'context']);

/** A located quote: `text.slice(start, end) === quote` in the named source revision, always. */
export const Evidence = z.object({
  evidence_id: EvidenceId,
  task_id: TaskId,
  source_revision_id: SourceRevisionId,
  start: z.int().nonnegative(),
  end: z.int().positive(),
  quote: z.string().min(1).max(4000),
  /** Re-finds the quote when offsets are lost: up to 32 characters before and after; page for PDF; table and row for tables. */
  anchor: z.object({
    before: z.string(),
    after: z.string(),
    heading_path: z.array(z.string()),
    page: z.int().positive().optional(),
    table: z.object({ index: z.int().nonnegative(), row: z.int().nonnegative(), header: z.string() }).optional(),
  }),
  stance: Stance,
});
export type Evidence = z.infer<typeof Evidence>;

export const AssertionKind = z.enum(['factual', 'calculated', 'analytical', 'recommendation']);
export const AssertionStatus = z.enum(['verified', 'conflicting', 'unsupported', 'withdrawn']);

export const Assertion = z.object({
  assertion_id: AssertionId,
  task_id: TaskId,
  revision: z.int().positive(),
  text: z.string().min(1).max(4000),
  kind: AssertionKind,
  evidence_ids: z.array(EvidenceId).min(1),
  status: AssertionStatus,
  /** The question of the contract that it answers. */
  answers: z.string(),
  /** Order among the assertions of one question, best first, from 0. */
  position: z.int().nonnegative(),
  /** Assertions that contradict one another share a group; they are shown together, never voted away. */
  conflict_group: z.int().nonnegative().nullable(),
});
export type Assertion = z.infer<typeof Assertion>;

export const MissingReason = z.enum([
  'not_found',
  'not_disclosed',
  'not_applicable',
  'access_blocked',
  'source_conflict',
  'parse_failed',
  'not_requested',
]);
export type MissingReason = z.infer<typeof MissingReason>;

const MAX_GAP = 1000;

/** What the answer does not have, in the user's words and with the reason. */
export const Gap = z.object({ what: z.string().min(1).max(MAX_GAP), reason: MissingReason });
export type Gap = z.infer<typeof Gap>;

/** A question may be as long as its request; what names a gap is cut, never in the middle of a character. */
export function gapOf(what: string, reason: MissingReason): Gap {
  if (what.length <= MAX_GAP) return { what, reason };
  return { what: `${what.slice(0, MAX_GAP - 1).replace(/[\ud800-\udbff]$/u, '')}…`, reason };
}
