import OpenAI from 'openai';
import type { Connection } from '../connection.ts';

/** The official client without retries, log, redirects, or anything it would take from the environment on its own. */
export function openaiClient({ baseUrl, key }: Connection): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: key === '' ? 'none' : key,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: 'off',
    fetchOptions: { redirect: 'manual' },
    ...(key === '' ? { defaultHeaders: { Authorization: null } } : {}),
  });
}
