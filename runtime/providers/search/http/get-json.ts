import { fail, PlatformError } from '#contracts/errors.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { ProviderNews } from '../search-provider.ts';
import { failureOfStatus, isTurnedAway } from './status-failure.ts';

const MAX_BYTES = 4_000_000;
const BACKOFF = { kind: 'backoff' } as const;

export type JsonQuestion = {
  readonly provider: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly news: ProviderNews;
};

/**
 * One GET that answers JSON. A redirect is refused, because a header with a key would travel along; the body is bounded.
 * Throws PlatformError in the words of SearchPort.
 */
export async function getJson(question: JsonQuestion): Promise<unknown> {
  const { provider, url, signal, clock, news } = question;
  const headers = { accept: 'application/json', ...question.headers };
  news.sent();
  const response = await reached(provider, () => fetch(url, { headers, signal, redirect: 'manual' }));
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return fail('search.unavailable', `${provider} redirects; its final address belongs into the configuration.`);
  }
  if (!response.ok) {
    await response.body?.cancel();
    if (isTurnedAway(status)) news.turnedAway();
    const retryAfter = response.headers.get('retry-after');
    throw new PlatformError(failureOfStatus({ provider, status, retryAfter, nowMs: clock.nowMs() }));
  }
  const text = await reached(provider, () => boundedText(response, provider));
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    return fail('search.request_failed', `${provider} answered no JSON.`, { retry: BACKOFF, cause: thrown });
  }
}

/** Whatever breaks on the way is transport. */
async function reached<Result>(provider: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof PlatformError) throw thrown;
    return fail('search.request_failed', `${provider} could not be reached, or the connection broke.`, {
      retry: BACKOFF,
      cause: thrown,
    });
  }
}

async function boundedText(response: Response, provider: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    length += part.value.length;
    if (length > MAX_BYTES) {
      await reader?.cancel();
      return fail('search.response_invalid', `${provider} answered more than ${MAX_BYTES} bytes.`);
    }
    chunks.push(part.value);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
