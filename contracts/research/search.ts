import * as z from 'zod';

/** SE-03: one brief and the allowed domains. No page size, ranking or freshness knobs. */
export const SearchRequest = z.strictObject({
  brief: z.string().trim().min(1).max(1000),
  allowed_domains: z
    .array(z.string().regex(/^[a-z0-9.-]+$/))
    .max(20)
    .optional(),
});
export type SearchRequest = z.infer<typeof SearchRequest>;

const HttpUrl = z
  .string()
  .regex(/^https?:\/\/\S+$/)
  .max(2000);

export const SearchSource = z.object({
  url: HttpUrl,
  title: z.string().max(500),
  snippet: z.string().max(1000).optional(),
});
export type SearchSource = z.infer<typeof SearchSource>;

export const SearchResponse = z.strictObject({
  provider: z.string(),
  query: z.string(),
  /** What the provider says it found; never evidence. */
  report: z.string().min(1).max(30_000),
  /** What the provider really looked up, which is seldom the brief. */
  queries: z.array(z.string()).max(32),
  sources: z.array(SearchSource).min(1).max(32),
  images: z.array(HttpUrl).max(16),
});
export type SearchResponse = z.infer<typeof SearchResponse>;

/** WS-11: what makes a search worth its time and money. What is familiar and settled is not looked up for show. */
export const SearchReason = z.enum(['fresh', 'unfamiliar', 'niche', 'regional', 'platform', 'uncertain']);
export type SearchReason = z.infer<typeof SearchReason>;

/**
 * The life of one search, as an item of its own. `started` comes before anything is known but that it runs;
 * a `query` only when the provider delivered it; `ended` exactly once.
 */
export const SearchEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), call_id: z.string(), provider: z.string(), at_ms: z.number() }),
  z.object({ type: z.literal('query'), call_id: z.string(), query: z.string() }),
  z.object({
    type: z.literal('ended'),
    call_id: z.string(),
    outcome: z.enum(['answered', 'failed']),
    /** The failure's code; null when it was answered. */
    code: z.string().nullable(),
    sources: z.array(SearchSource),
    at_ms: z.number(),
  }),
]);
export type SearchEvent = z.infer<typeof SearchEvent>;

/** WS-07: what one search used. Never part of the answer: whoever reads the answer does not see accounts. */
export const SearchUsage = z.object({
  project: z.string(),
  /** For whom it was made; absent: for no task. */
  task_id: z.string().optional(),
  /** Identity of the fact: the search, not the turn, so that a turn's second search is not folded into its first. */
  call_id: z.string(),
  provider: z.string(),
  model: z.string().nullable(),
  outcome: z.enum(['answered', 'failed']),
  duration_ms: z.number().nonnegative(),
  /**
   * `none`: nothing was charged. `metered`: see `amounts`. `unknown`: something was sent whose
   * amounts were never told, so that `amounts` are only what is known, or null. */
  billing: z.enum(['none', 'metered', 'unknown']),
  amounts: z
    .object({
      input_tokens: z.int().nonnegative(),
      cached_input_tokens: z.int().nonnegative(),
      output_tokens: z.int().nonnegative(),
      tool_calls: z.int().nonnegative(),
    })
    .nullable(),
  /** In millionths of the currency, rounded up; null when there are no amounts. */
  cost: z.object({ currency: z.string(), micros: z.int().nonnegative(), price_version: z.string() }).nullable(),
});
export type SearchUsage = z.infer<typeof SearchUsage>;
