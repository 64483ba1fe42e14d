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
  queries: z.array(z.string()).max(32),
  sources: z.array(SearchSource).min(1).max(32),
  images: z.array(HttpUrl).max(16),
});
export type SearchResponse = z.infer<typeof SearchResponse>;
