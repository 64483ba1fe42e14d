import { fail } from '#contracts/errors.ts';
import { SearchResponse, SearchSource, type SearchRequest } from '#contracts/research/search.ts';
import { isAllowedAddress, isWebAddress } from './web-address.ts';

const MAX_SOURCES = 32;
const MAX_IMAGES = 16;
const MAX_QUERIES = 32;
const MAX_REPORT_CHARS = 30_000;

/** WS-04: without a completed look-up, a report and a structured source of an allowed domain there is nothing to research. */
export function throughGate(answer: unknown, request: SearchRequest, provider: string): SearchResponse {
  const loose = isRecord(answer) ? answer : {};
  const sources = distinctSources(listOf(loose['sources']), request).slice(0, MAX_SOURCES);
  const calls = loose['completedCalls'];
  if (typeof calls !== 'number' || calls < 1) return refuse('no look-up was completed');
  if (sources.length === 0) return refuse('no source with a web address of the allowed domains');
  const gated = SearchResponse.safeParse({
    provider,
    query: loose['query'],
    report: typeof loose['report'] === 'string' ? loose['report'].trim().slice(0, MAX_REPORT_CHARS) : '',
    queries: listOf(loose['queries'])
      .filter((query) => typeof query === 'string')
      .map((query) => query.slice(0, 1000))
      .slice(0, MAX_QUERIES),
    sources,
    images: listOf(loose['images']).filter(isWebAddress).slice(0, MAX_IMAGES),
  });
  return gated.success ? gated.data : refuse(issuesOf(gated.error));
}

function refuse(what: string): never {
  return fail('search.response_invalid', `The search brought nothing that can be read: ${what}.`);
}

function distinctSources(list: readonly unknown[], request: SearchRequest): SearchSource[] {
  const sources = new Map<string, SearchSource>();
  for (const item of list) {
    if (!isRecord(item) || !isWebAddress(item['url'])) continue;
    if (!isAllowedAddress(item['url'], request.allowed_domains ?? [])) continue;
    const title = typeof item['title'] === 'string' ? item['title'].trim().slice(0, 500) : '';
    const snippet = typeof item['snippet'] === 'string' ? item['snippet'].trim().slice(0, 1000) : '';
    const source = SearchSource.safeParse({ url: item['url'], title, ...(snippet === '' ? {} : { snippet }) });
    if (source.success && !sources.has(source.data.url)) sources.set(source.data.url, source.data);
  }
  return [...sources.values()];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

type Issues = {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
};

export function issuesOf(error: Issues): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')} ${issue.message}`)
    .join('; ');
}
