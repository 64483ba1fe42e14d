import { fail } from '#contracts/errors.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { SearchRequest } from '#contracts/research/search.ts';
import { getJson } from './http/get-json.ts';
import { listOf, recordOf, reportOf, sourcesOf, textOf, withoutMarks, type Listed } from './http/listed-results.ts';
import { costOf, type PriceList } from './prices.ts';
import { NO_AMOUNTS, type ProviderAnswer, type ProviderCall, type SearchProvider } from './search-provider.ts';
import { withDomains } from './web-address.ts';

export type BraveOptions = {
  readonly key: string | null;
  readonly prices: PriceList;
  readonly clock: Clock;
  readonly baseUrl?: string;
};

const PROVIDER = 'brave';
const BASE_URL = 'https://api.search.brave.com';
/** The most one page of the interface holds. */
const RESULTS = 20;
/** Limits of the interface for `q`. */
const MAX_CHARS = 400;
const MAX_WORDS = 50;

export function createBraveProvider(options: BraveOptions): SearchProvider {
  return { provider: PROVIDER, timeoutMs: 30_000, search: (request, call) => searchBrave(request, call, options) };
}

async function searchBrave(
  { brief, allowed_domains = [] }: SearchRequest,
  { signal, news }: ProviderCall,
  { key, prices, clock, baseUrl = BASE_URL }: BraveOptions,
): Promise<ProviderAnswer> {
  if (key === null) return fail('search.unavailable', 'BRAVE_API_KEY is not set.');
  const asked = braveQuery(brief, allowed_domains);
  const url = new URL('/res/v1/web/search', baseUrl);
  url.searchParams.set('q', asked);
  url.searchParams.set('count', String(RESULTS));
  url.searchParams.set('text_decorations', 'false');
  url.searchParams.set('result_filter', 'web');
  const headers = { 'x-subscription-token': key };
  const answer = recordOf(await getJson({ provider: PROVIDER, url, headers, signal, clock, news }));
  const amounts = { ...NO_AMOUNTS, tool_calls: 1 };
  news.used(amounts, costOf(prices, PROVIDER, amounts));
  const told = recordOf(answer['query']);
  const lookedUp = textOf(told['altered']) || textOf(told['original']) || asked;
  news.query(lookedUp);
  const results = listOf(recordOf(answer['web'])['results']).map(recordOf);
  const listed: Listed[] = results.map((result) => ({
    url: textOf(result['url']),
    title: withoutMarks(textOf(result['title'])),
    text: withoutMarks([textOf(result['description']), ...listOf(result['extra_snippets']).map(textOf)].join(' ')),
  }));
  return {
    query: brief,
    report: reportOf(listed),
    queries: [lookedUp],
    sources: sourcesOf(listed),
    images: results.map((result) => textOf(recordOf(result['thumbnail'])['src'])).filter((image) => image !== ''),
    completedCalls: 1,
  };
}

/** Cut to what the interface takes, so that a long brief is searched by its beginning and not refused. */
function braveQuery(brief: string, domains: readonly string[]): string {
  const sites = withDomains('', domains);
  const usable = sites.length <= MAX_CHARS / 2 ? sites : '';
  const words = brief
    .split(/\s+/u)
    .slice(0, MAX_WORDS - domains.length * 2)
    .join(' ');
  return `${words.slice(0, MAX_CHARS - usable.length)}${usable}`.trim();
}
