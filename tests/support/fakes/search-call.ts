import type { SearchCall } from '#contracts/ports/search.ts';
import type { SearchEvent } from '#contracts/research/search.ts';
import type { ProviderCall } from '#runtime/providers/search/search-provider.ts';

/** A call as an actor makes it, and what is heard of it. */
export function searchCall(change: Partial<SearchCall> = {}): SearchCall & { readonly heard: SearchEvent[] } {
  const heard: SearchEvent[] = [];
  return {
    project: 'default',
    callId: 'call-1',
    reason: 'uncertain',
    signal: new AbortController().signal,
    onEvent: (event) => heard.push(event),
    heard,
    ...change,
  };
}

/** A call as the entry hands it to a provider, where nobody listens to the news. */
export function providerCall(change: Partial<SearchCall> = {}): ProviderCall {
  const ignore = (): void => undefined;
  return { ...searchCall(change), news: { sent: ignore, turnedAway: ignore, query: ignore, used: ignore } };
}
