import * as z from 'zod';
import { DecimalString, Timestamp } from '../ids.ts';
import { DatasetField } from './dataset-field.ts';

/** TS-02: where a value comes from. An inference never passes as a user's demand. */
export const Origin = z.enum(['user', 'project_setting', 'template', 'inferred_awaiting_confirmation']);
export type Origin = z.infer<typeof Origin>;

export const TaskMode = z.enum(['quick_search', 'research', 'dataset', 'hybrid']);
export type TaskMode = z.infer<typeof TaskMode>;

/** The interaction policy of the chat box: `smart` decides whether a task is needed at all. */
export const ChatMode = z.enum(['smart', 'quick_search', 'research', 'dataset', 'hybrid']);
export type ChatMode = z.infer<typeof ChatMode>;

/** `dataset` is rows only; a hybrid has the form `report` and fields beside it. */
export const OutputForm = z.enum(['short_answer', 'report', 'dataset']);
export type OutputForm = z.infer<typeof OutputForm>;

export const OutputFormat = z.enum(['markdown', 'html', 'json', 'csv', 'xlsx', 'docx', 'pdf']);
export type OutputFormat = z.infer<typeof OutputFormat>;

/** Candidates that discovery may look at, when nobody said how many. */
export const DEFAULT_CANDIDATES = 120;

/**
 * TS-01: seven root fields, no others, at any depth.
 * Contracts of the first release lack what has a default here; `TaskSpec.parse` completes them.
 */
export const TaskSpec = z.strictObject({
  mode: TaskMode,
  requirement_text: z.string().min(1).max(20_000),
  scope: z.strictObject({
    questions: z.array(z.string().min(1).max(2000)).min(1).max(20),
    topics: z.array(z.string().max(200)).max(50),
    items: z.array(z.string().max(200)).max(500),
    as_of: Timestamp.nullable(),
    region: z.string().nullable(),
    exclusions: z.array(z.string().max(200)).max(50),
    /** Exact addresses the user named; reading them skips discovery. */
    known_urls: z.array(z.string().max(2000)).max(20),
    allowed_domains: z.array(z.string()).max(20),
    acceptance: z.array(z.string().max(500)).max(20),
    max_candidates: z.int().min(1).max(2000).default(DEFAULT_CANDIDATES),
  }),
  output: z.strictObject({
    language: z.enum(['zh-CN', 'en']),
    form: OutputForm,
    formats: z.array(OutputFormat).min(1).max(7),
    /** What one row of the data set is, in the user's words; null without a data set. */
    row: z.string().min(1).max(200).nullable().default(null),
    /** Names of the fields that tell rows apart. */
    key: z.array(z.string().min(1).max(80)).max(8).default([]),
    fields: z.array(DatasetField).max(40).default([]),
    max_rows: z.int().min(1).max(100_000).nullable().default(null),
  }),
  execution: z.strictObject({
    max_pages: z.int().min(1).max(200),
    max_waves: z.int().min(1).max(10),
    max_duration_ms: z.int().min(1000).max(86_400_000),
    max_parallel: z.int().min(1).max(16),
  }),
  budget: z.strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/),
    cap_minor: DecimalString,
    unknown_price_policy: z.enum(['block', 'approved_upper_bound']),
  }),
  policy_refs: z.array(z.string()).max(20),
});
export type TaskSpec = z.infer<typeof TaskSpec>;

/** JSON pointer of a value → its origin; `statesEveryOrigin` tells whether none is missing. */
export const Origins = z.record(z.string(), Origin);
export type Origins = z.infer<typeof Origins>;
