import * as z from 'zod';
import { Failure } from '../errors.ts';
import { Language, Timestamp } from '../ids.ts';
import { Engine } from '../research/engine.ts';
import { Gap } from '../research/evidence.ts';
import { CandidateEntry } from '../research/candidate-log.ts';
import { TaskEventType } from './task.ts';
import { Candidate, Proposal, RejectedProposal } from './role.ts';

/** What a node of the plan has to do. A known URL needs no `discover`; nothing skips reading or verification. */
export const WorkPayload = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('discover'),
    question: z.string(),
    question_index: z.int(),
    allowed_domains: z.array(z.string()),
    /** Queries that the task looked up before, by identity; none of them is looked up again (SE-09). */
    asked: z.array(z.object({ identity: z.string(), words: z.string() })).optional(),
  }),
  z.object({ kind: z.literal('read'), url: z.string(), title: z.string() }),
  z.object({
    kind: z.literal('extract'),
    question: z.string(),
    question_index: z.int(),
    form: z.enum(['short_answer', 'report']),
    source_revision_ids: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('verify'),
    question: z.string(),
    question_index: z.int(),
    proposals: z.array(Proposal),
    /** Everything the task has read: what contradicts a quote may stand on a page that nobody quoted. */
    read_revision_ids: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal('write'),
    title: z.string(),
    questions: z.array(z.string()),
    form: z.enum(['short_answer', 'report']),
    gaps: z.array(Gap),
  }),
]);
export type WorkPayload = z.infer<typeof WorkPayload>;

export const WorkItemInput = z.object({
  work_item_id: z.string(),
  task_id: z.string(),
  run_id: z.string(),
  reply_to: z.string(),
  language: Language,
  payload: WorkPayload,
  /** What the task was frozen with; absent in items of the first release, which are extractive. */
  engine: Engine.optional(),
  /** Nothing is waited for beyond this time. */
  deadline_time: Timestamp.nullable().optional(),
});
export type WorkItemInput = z.infer<typeof WorkItemInput>;

export const WorkResult = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('discover'),
    candidates: z.array(Candidate),
    queries: z.array(z.string()),
    /** Identities of what was looked up, for the searches to come. */
    asked: z.array(z.object({ identity: z.string(), words: z.string() })).optional(),
    log: z.array(CandidateEntry).optional(),
  }),
  z.object({
    kind: z.literal('read'),
    source_revision_id: z.string(),
    final_url: z.string(),
    title: z.string(),
    language: z.string(),
    page_kind: z.string(),
    characters: z.int().nonnegative(),
  }),
  z.object({ kind: z.literal('extract'), proposals: z.array(Proposal) }),
  z.object({
    kind: z.literal('verify'),
    question_index: z.int(),
    assertion_ids: z.array(z.string()),
    source_revision_ids: z.array(z.string()),
    rejected: z.array(RejectedProposal),
    conflicts: z.int().nonnegative(),
    /** How many independent hands produced the sources: families, not domains (SE-09). */
    independent: z.int().nonnegative().optional(),
  }),
  z.object({
    kind: z.literal('write'),
    markdown: z.string(),
    asserting_sentences: z.int().nonnegative(),
    citations: z.array(z.json()),
  }),
]);
export type WorkResult = z.infer<typeof WorkResult>;

/**
 * PL-03: what a branch hands back. `no_content` is never retried; `blocked` needs somebody else; `failed` carries the failure,
 * whose `retry` still says whether another run may bring more.
 */
export const WorkEnvelope = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('succeeded'), result: WorkResult }),
  z.object({ outcome: z.literal('no_content'), reason: z.string() }),
  z.object({ outcome: z.literal('blocked'), reason: z.string(), failure: Failure.optional() }),
  z.object({ outcome: z.literal('failed'), failure: Failure }),
]);
export type WorkEnvelope = z.infer<typeof WorkEnvelope>;

/** Work item → task. */
export const WorkReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('work.claimed'), work_item_id: z.string(), run_id: z.string() }),
  z.object({
    type: z.literal('work.progress'),
    work_item_id: z.string(),
    events: z.array(z.object({ event_type: TaskEventType, data: z.record(z.string(), z.json()) })).min(1),
  }),
  z.object({ type: z.literal('work.finished'), work_item_id: z.string(), envelope: WorkEnvelope }),
  z.object({ type: z.literal('work.paused'), work_item_id: z.string() }),
  /** PL-04: a passing failure. The item waits by itself and tries again at `retry_time`. */
  z.object({
    type: z.literal('work.waiting'),
    work_item_id: z.string(),
    attempt: z.int().positive(),
    retry_time: Timestamp,
    reason: z.string(),
  }),
  z.object({ type: z.literal('work.retrying'), work_item_id: z.string(), attempt: z.int().positive() }),
]);
export type WorkReport = z.infer<typeof WorkReport>;

/** Task → work item. */
export const WorkOrder = z.discriminatedUnion('type', [z.object({ type: z.literal('work.pause') })]);
