import * as z from 'zod';
import { DecimalString, Timestamp } from '../ids.ts';

/** TS-02: where a value comes from. An inference never passes as a user's demand. */
export const Origin = z.enum(['user', 'project_setting', 'template', 'inferred_awaiting_confirmation']);
export type Origin = z.infer<typeof Origin>;

export const TaskMode = z.enum(['quick_search', 'research', 'dataset', 'hybrid']);
export type TaskMode = z.infer<typeof TaskMode>;

/** The interaction policy of the chat box: `smart` decides whether a task is needed at all. */
export const ChatMode = z.enum(['smart', 'quick_search', 'research', 'dataset', 'hybrid']);
export type ChatMode = z.infer<typeof ChatMode>;

/** TS-01: seven root fields, no others. */
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
  }),
  output: z.strictObject({
    language: z.enum(['zh-CN', 'en']),
    form: z.enum(['short_answer', 'report']),
    formats: z.array(z.enum(['markdown', 'html', 'json'])).min(1),
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

/** JSON pointer of a value → its origin. */
export const Origins = z.record(z.string(), Origin);
export type Origins = z.infer<typeof Origins>;
