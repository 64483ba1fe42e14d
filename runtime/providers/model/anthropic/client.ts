import Anthropic from '@anthropic-ai/sdk';
import type { Connection } from '../connection.ts';

/**
 * The official client, with nothing of its own will: no retries, no log, no redirects, and no credential that it finds somewhere.
 * The placeholder keeps it from looking for one; the headers are then left out.
 */
export function anthropicClient({ baseUrl, key }: Connection): Anthropic {
  return new Anthropic({
    baseURL: baseUrl,
    apiKey: key === '' ? 'none' : key,
    maxRetries: 0,
    logLevel: 'off',
    fetchOptions: { redirect: 'manual' },
    ...(key === '' ? { defaultHeaders: { 'X-Api-Key': null, Authorization: null } } : {}),
  });
}
