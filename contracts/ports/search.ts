import type { SearchEvent, SearchReason, SearchRequest, SearchResponse, SearchUsage } from '../research/search.ts';

export type SearchCall = {
  readonly project: string;
  /** Whose account it is. */
  readonly taskId?: string;
  /** Identity of this search: its item and its usage are kept under it. */
  readonly callId: string;
  readonly reason: SearchReason;
  readonly signal: AbortSignal;
  /** Hears the life of the search while it runs. What it throws harms nothing. */
  readonly onEvent?: (event: SearchEvent) => void;
  /** Hears what it used, once, before the answer is judged and also when it failed (WS-07). What it throws harms nothing. */
  readonly onUsage?: (usage: SearchUsage) => void;
};

/**
 * The one search entry. Throws PlatformError:
 * `search.unavailable` (no provider can answer), `search.request_failed` (transport, retryable), `search.response_invalid`
 * (nothing found, or no structured source: never retried), `search.aborted`. A time-out is `search.request_failed`, not an abort.
 *
 *   WS-01  One entry, one tool: whatever provider is configured stands behind it, and no role has a second way to search.
 *   WS-02  A hosted search goes straight to its vendor; a model without a registered price is refused before anything is sent.
 *   WS-03  The credential is the search's own, from the server's configuration; without it or refused: `search.unavailable`, no other provider.
 *   WS-04  Only a completed call with structured sources is research; a stream that ends early is transport, an answer without ground is not.
 *   WS-05  A search is an item from its start event on; queries and pages appear only when the provider delivered them.
 *   WS-06  A request is a brief and allowed domains; what comes back is kept inside both and inside the limits.
 *   WS-07  Usage is told before the evidence gate, once a call, identified by the call, also when it failed.
 *   WS-08  A fault of the accounts never fails a search.
 *   WS-09  What the web says changes no instruction, tool, domain or amount.
 *   WS-10  Results are content of a project only when somebody writes them; a search writes nothing.
 *   WS-11  Nobody searches without a reason.
 */
export interface SearchPort {
  readonly provider: string;
  search(request: SearchRequest, call: SearchCall): Promise<SearchResponse>;
}
