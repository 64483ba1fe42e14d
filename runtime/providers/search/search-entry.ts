import { fail, PlatformError, toFailure, type Failure } from '#contracts/errors.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { SearchCall, SearchPort } from '#contracts/ports/search.ts';
import { SearchRequest, SearchResponse, SearchSource } from '#contracts/research/search.ts';

/** SE-06: what a call used, told whether or not it brought anything. */
export type SearchUsage = {
  readonly project: string;
  readonly callId: string;
  readonly provider: string;
  readonly outcome: 'answered' | 'failed';
  readonly durationMs: number;
};

export type SearchEntryOptions = {
  readonly provider: SearchPort;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  readonly onUsage?: (usage: SearchUsage) => void;
};

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_SOURCES = 32;
const MAX_IMAGES = 16;
const MAX_QUERIES = 32;
const MAX_REPORT_CHARS = 30_000;
const RETRY = { kind: 'backoff' } as const;

/**
 * The one way the product searches (SE-01). Whatever provider stands behind it: the request is checked before, the usage is told once,
 * and only then the answer must pass the evidence gate (SE-04). There is no second provider to fall back to (SE-02).
 */
export function createSearchEntry(options: SearchEntryOptions): SearchPort {
  return { provider: options.provider.provider, search: (request, call) => searchOnce(request, call, options) };
}

async function searchOnce(
  request: SearchRequest,
  call: SearchCall,
  options: SearchEntryOptions,
): Promise<SearchResponse> {
  const checked = SearchRequest.safeParse(request);
  if (!checked.success) {
    return fail(
      'request.invalid',
      `A search is one brief of 1 to 1000 characters and at most 20 domains: ${issuesOf(checked.error)}`,
    );
  }
  if (call.signal.aborted) return fail('search.aborted', 'The search was stopped before it began.');
  const startedMs = options.clock.nowMs();
  let answer: unknown;
  let outcome: SearchUsage['outcome'] = 'failed';
  try {
    answer = await callProvider(checked.data, call, options);
    outcome = 'answered';
  } finally {
    tellUsage(options, call, outcome, startedMs);
  }
  return throughGate(answer, options.provider.provider);
}

/** A time-out is a failed request and checked before an abort (SE-05). */
async function callProvider(request: SearchRequest, call: SearchCall, options: SearchEntryOptions): Promise<unknown> {
  const { clock, provider, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const deadline = new AbortController();
  const cancel = clock.after(timeoutMs, () => deadline.abort());
  const signal = AbortSignal.any([call.signal, deadline.signal]);
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([provider.search(request, { ...call, signal }), aborted]);
  } catch (error) {
    if (deadline.signal.aborted) {
      return fail('search.request_failed', `The search took longer than ${timeoutMs} ms.`, {
        retry: RETRY,
        cause: error,
      });
    }
    if (call.signal.aborted) return fail('search.aborted', 'The search was stopped.', { cause: error });
    throw new PlatformError(searchFailure(error), { cause: error });
  } finally {
    cancel();
    signal.removeEventListener('abort', stop);
  }
}

/** Whatever a provider throws becomes one of the words of SE-05. */
function searchFailure(error: unknown): Failure {
  const reason = toFailure(error, 'search.request_failed');
  if (reason.code.startsWith('search.') && reason.code !== 'search.aborted') return reason;
  return { ...reason, code: 'search.request_failed', retry: RETRY };
}

function tellUsage(
  options: SearchEntryOptions,
  call: SearchCall,
  outcome: SearchUsage['outcome'],
  startedMs: number,
): void {
  const { project, callId } = call;
  const durationMs = options.clock.nowMs() - startedMs;
  try {
    options.onUsage?.({ project, callId, provider: options.provider.provider, outcome, durationMs });
  } catch {
    // SE-06: a fault of the accounts never fails a result.
  }
}

/** SE-04: without a report and a structured source with a web address there is nothing to research. */
function throughGate(answer: unknown, provider: string): SearchResponse {
  const loose = isRecord(answer) ? answer : {};
  const sources = distinctSources(listOf(loose['sources'])).slice(0, MAX_SOURCES);
  const gated = SearchResponse.safeParse({
    provider,
    query: loose['query'],
    report: typeof loose['report'] === 'string' ? loose['report'].trim().slice(0, MAX_REPORT_CHARS) : '',
    queries: listOf(loose['queries'])
      .filter((query) => typeof query === 'string')
      .slice(0, MAX_QUERIES),
    sources,
    images: listOf(loose['images']).filter(isWebAddress).slice(0, MAX_IMAGES),
  });
  if (gated.success) return gated.data;
  const what = sources.length === 0 ? 'no source with a web address' : issuesOf(gated.error);
  return fail('search.response_invalid', `The search brought nothing that can be read: ${what}.`);
}

function distinctSources(list: readonly unknown[]): SearchSource[] {
  const sources = new Map<string, SearchSource>();
  for (const item of list) {
    if (!isRecord(item) || !isWebAddress(item['url'])) continue;
    const title = typeof item['title'] === 'string' ? item['title'].trim().slice(0, 500) : '';
    const snippet = typeof item['snippet'] === 'string' ? item['snippet'].trim().slice(0, 1000) : '';
    const source = SearchSource.safeParse({ url: item['url'], title, ...(snippet === '' ? {} : { snippet }) });
    if (source.success && !sources.has(source.data.url)) sources.set(source.data.url, source.data);
  }
  return [...sources.values()];
}

function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function issuesOf(error: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}): string {
  return error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')} ${issue.message}`)
    .join('; ');
}
