import type { SearchRequest, SearchResponse } from '../research/search.ts';

export type SearchCall = { readonly project: string; readonly callId: string; readonly signal: AbortSignal };

/**
 * The one search entry. Throws PlatformError:
 * `search.unavailable` (no provider can answer), `search.request_failed` (transport, retryable), `search.response_invalid`
 * (nothing found, or no structured source: never retried), `search.aborted`. A time-out is `search.request_failed`, not an abort.
 */
export interface SearchPort {
  readonly provider: string;
  search(request: SearchRequest, call: SearchCall): Promise<SearchResponse>;
}
