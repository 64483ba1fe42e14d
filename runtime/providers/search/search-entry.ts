import { fail, PlatformError, toFailure, type Failure } from '#contracts/errors.ts';
import { silentLogger, type Logger } from '#contracts/ports/logger.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { SearchCall, SearchPort } from '#contracts/ports/search.ts';
import { SearchReason, SearchRequest, type SearchResponse, type SearchUsage } from '#contracts/research/search.ts';
import { CallRecord } from './call-record.ts';
import { issuesOf, throughGate } from './evidence-gate.ts';
import type { ProviderNews, SearchProvider } from './search-provider.ts';

export type SearchEntryOptions = {
  readonly provider: SearchProvider;
  readonly clock: Clock;
  readonly timeoutMs?: number;
  readonly logger?: Logger;
  readonly onUsage?: (usage: SearchUsage) => void;
};

const DEFAULT_TIMEOUT_MS = 60_000;
const RETRY = { kind: 'backoff' } as const;

/**
 * The one way the product searches (WS-01). Whatever provider stands behind it: the request is checked before, the usage is told once,
 * and only then the answer must pass the evidence gate (WS-04). There is no second provider to fall back to (WS-03).
 */
export function createSearchEntry(options: SearchEntryOptions): SearchPort {
  return { provider: options.provider.provider, search: (request, call) => searchOnce(request, call, options) };
}

async function searchOnce(
  request: SearchRequest,
  call: SearchCall,
  options: SearchEntryOptions,
): Promise<SearchResponse> {
  const checked = checkedRequest(request, call);
  const record = new CallRecord({ ...options, logger: options.logger ?? silentLogger }, call);
  try {
    const answer = await callProvider(checked, call, record.news, options);
    record.tellUsage('answered');
    const response = throughGate(answer, checked, options.provider.provider);
    record.end('answered', null, response.sources);
    return response;
  } catch (error) {
    record.tellUsage('failed');
    record.end('failed', toFailure(error, 'search.request_failed').code, []);
    throw error;
  }
}

/** What is refused here costs nothing and is no item: no search took place. */
function checkedRequest(request: SearchRequest, call: SearchCall): SearchRequest {
  const checked = SearchRequest.safeParse(request);
  if (!checked.success) {
    return fail(
      'request.invalid',
      `A search is one brief of 1 to 1000 characters and at most 20 domains: ${issuesOf(checked.error)}`,
    );
  }
  if (!SearchReason.safeParse(call.reason).success) {
    return fail('request.invalid', `A search needs one of the reasons ${SearchReason.options.join(', ')}.`);
  }
  if (call.signal.aborted) return fail('search.aborted', 'The search was stopped before it began.');
  return checked.data;
}

/** A time-out is a failed request and checked before an abort (SE-05). */
async function callProvider(
  request: SearchRequest,
  call: SearchCall,
  news: ProviderNews,
  options: SearchEntryOptions,
): Promise<unknown> {
  const { clock, provider } = options;
  const timeoutMs = options.timeoutMs ?? provider.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = new AbortController();
  const cancel = clock.after(timeoutMs, () => deadline.abort());
  const signal = AbortSignal.any([call.signal, deadline.signal]);
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new PlatformError({ code: 'search.aborted', message: 'stopped', retry: { kind: 'never' } }));
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([provider.search(request, { ...call, signal, news }), aborted]);
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

/** Whatever a provider throws becomes one of the words of SE-05. A foreign text may hold a secret, so it is not repeated. */
function searchFailure(error: unknown): Failure {
  if (!(error instanceof PlatformError)) {
    const name = error instanceof Error ? error.name : typeof error;
    return { code: 'search.request_failed', message: `The search request failed (${name}).`, retry: RETRY };
  }
  const reason = error.failure;
  if (reason.code.startsWith('search.') && reason.code !== 'search.aborted') return reason;
  return { ...reason, code: 'search.request_failed', retry: RETRY };
}
