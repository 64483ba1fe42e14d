import type { SearchCall } from '#contracts/ports/search.ts';
import type { SearchRequest, SearchSource, SearchUsage } from '#contracts/research/search.ts';

export type Amounts = NonNullable<SearchUsage['amounts']>;
export type Cost = NonNullable<SearchUsage['cost']>;

/** What a provider says while it works. The entry keeps it; nothing of it is part of the answer. */
export type ProviderNews = {
  /** From here on the vendor may charge. */
  sent(): void;
  /** A query that was really looked up. */
  query(text: string): void;
  /** The vendor refused before any work: what was sent last costs nothing. */
  turnedAway(): void;
  /** All that was used so far, told before the answer is judged. `null` for a cost that has no registered price. */
  used(amounts: Amounts, cost: Cost | null): void;
};

export type ProviderCall = SearchCall & { readonly news: ProviderNews };

/** As the provider brought it; the entry's gate decides what of it survives. */
export type ProviderAnswer = {
  readonly query: string;
  readonly report: string;
  readonly queries: readonly string[];
  readonly sources: readonly SearchSource[];
  readonly images: readonly string[];
  /** Look-ups that ended well. Without one the report is memory, not research. */
  readonly completedCalls: number;
};

/** A far end of the one search entry. Throws PlatformError in the words of SearchPort, never with a vendor's text in it. */
export interface SearchProvider {
  readonly provider: string;
  /** The model that plans a hosted search. */
  readonly model?: string;
  /** Longest sensible search; hosted research takes minutes. */
  readonly timeoutMs?: number;
  search(request: SearchRequest, call: ProviderCall): Promise<ProviderAnswer>;
}

export const NO_AMOUNTS: Amounts = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, tool_calls: 0 };
