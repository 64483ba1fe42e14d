import { fail } from '#contracts/errors.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { SearchRequest } from '#contracts/research/search.ts';
import { getJson } from './http/get-json.ts';
import { listOf, recordOf, reportOf, sourcesOf, textOf, withoutMarks, type Listed } from './http/listed-results.ts';
import { NO_AMOUNTS, type ProviderAnswer, type ProviderCall, type SearchProvider } from './search-provider.ts';
import { withDomains } from './web-address.ts';

export type SearxngOptions = { readonly url: string | null; readonly clock: Clock };

const PROVIDER = 'searxng';

/** A SearXNG of one's own: engines asked side by side, no key, nothing to pay. Its JSON format must be switched on there. */
export function createSearxngProvider(options: SearxngOptions): SearchProvider {
  return { provider: PROVIDER, timeoutMs: 30_000, search: (request, call) => searchSearxng(request, call, options) };
}

async function searchSearxng(
  { brief, allowed_domains = [] }: SearchRequest,
  { signal, news }: ProviderCall,
  { url: base, clock }: SearxngOptions,
): Promise<ProviderAnswer> {
  if (base === null) return fail('search.unavailable', 'SEARXNG_URL is not set.');
  const url = new URL(`${base.replace(/\/+$/u, '')}/search`);
  const asked = withDomains(brief, allowed_domains);
  url.searchParams.set('q', asked);
  url.searchParams.set('format', 'json');
  const answer = recordOf(await getJson({ provider: PROVIDER, url, headers: {}, signal, clock, news }));
  news.used(NO_AMOUNTS, null);
  const lookedUp = textOf(answer['query']) || asked;
  news.query(lookedUp);
  const results = listOf(answer['results']).map(recordOf);
  const listed: Listed[] = results.map((result) => ({
    url: textOf(result['url']),
    title: withoutMarks(textOf(result['title'])),
    text: withoutMarks(textOf(result['content'])),
  }));
  const silent = listOf(answer['unresponsive_engines']);
  // No result because no engine answered is not the same as nothing to be found.
  if (listed.length === 0 && silent.length > 0) {
    const message = `${silent.length} engines of SearXNG did not answer and none found anything.`;
    return fail('search.request_failed', message, { retry: { kind: 'backoff' } });
  }
  return {
    query: brief,
    report: reportOf(listed),
    queries: [lookedUp],
    sources: sourcesOf(listed),
    images: results.map((result) => textOf(result['img_src'])).filter((image) => image !== ''),
    completedCalls: 1,
  };
}
