import * as z from 'zod';
import { Failure } from '../errors.ts';
import { Language } from '../ids.ts';
import { Gap } from '../research/evidence.ts';
import { TaskEventType } from './task.ts';
import { Candidate, Proposal, RejectedProposal } from './role.ts';

/** What a node of the plan has to do. A known URL needs no `discover`; nothing skips reading or verification. */
export const WorkPayload = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('discover'),
    question: z.string(),
    question_index: z.int(),
    allowed_domains: z.array(z.string()),
  }),
  z.object({ kind: z.literal('read'), url: z.string(), title: z.string() }),
  z.object({
    kind: z.literal('extract'),
    question: z.string(),
    question_index: z.int(),
    form: z.enum(['short_answer', 'report']),
    source_revision_ids: z.array(z.string()),
  }),
  z.object({ kind: z.literal('verify'), question: z.string(), question_index: z.int(), proposals: z.array(Proposal) }),
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
});
export type WorkItemInput = z.infer<typeof WorkItemInput>;

export const WorkResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('discover'), candidates: z.array(Candidate), queries: z.array(z.string()) }),
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
  }),
  z.object({
    kind: z.literal('write'),
    markdown: z.string(),
    asserting_sentences: z.int().nonnegative(),
    citations: z.array(z.json()),
  }),
]);
export type WorkResult = z.infer<typeof WorkResult>;

/** PL-03: what a branch hands back. `no_content` is never retried; `blocked` needs somebody else; `failed` carries the failure. */
export const WorkEnvelope = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('succeeded'), result: WorkResult }),
  z.object({ outcome: z.literal('no_content'), reason: z.string() }),
  z.object({ outcome: z.literal('blocked'), reason: z.string() }),
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
]);
export type WorkReport = z.infer<typeof WorkReport>;

/** Task → work item. */
export const WorkOrder = z.discriminatedUnion('type', [z.object({ type: z.literal('work.pause') })]);
