import OpenAI from 'openai';
import type { ResponseOutputItem, ResponseUsage, WebSearchTool } from 'openai/resources/responses/responses';
import { fail } from '#contracts/errors.ts';
import type { SearchRequest, SearchSource } from '#contracts/research/search.ts';
import type { Amounts, ProviderAnswer, ProviderCall, SearchProvider } from '../search-provider.ts';
import { createHostedProvider, RESEARCH_INSTRUCTIONS, type HostedOptions } from './hosted-search.ts';

const PROVIDER = 'openai';
const BASE_URL = 'https://api.openai.com/v1';
export const OPENAI_SEARCH_MODEL = 'gpt-5-mini';

/** OpenAI's hosted web search over the Responses interface, streamed. */
export function createOpenAiProvider(options: HostedOptions): SearchProvider {
  const { key, model, baseUrl = BASE_URL } = options;
  return createHostedProvider(
    {
      provider: PROVIDER,
      keySetting: 'OPENAI_API_KEY',
      research: (request, call, used) => research(request, call, { model, used, client: clientOf(key ?? '', baseUrl) }),
    },
    options,
  );
}

/** Nothing comes from the SDK's own variables, nothing is repeated behind our back, and a redirect does not carry the key away. */
function clientOf(apiKey: string, baseURL: string): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: 600_000,
    logLevel: 'off',
    fetchOptions: { redirect: 'error' },
  });
}

type Research = { readonly client: OpenAI; readonly model: string; readonly used: (amounts: Amounts) => void };

async function research(
  { brief, allowed_domains = [] }: SearchRequest,
  { signal, news }: ProviderCall,
  { client, model, used }: Research,
): Promise<ProviderAnswer> {
  const tool: WebSearchTool = { type: 'web_search' };
  if (allowed_domains.length > 0) tool.filters = { allowed_domains: [...allowed_domains] };
  news.sent();
  const stream = await client.responses.create(
    {
      model,
      instructions: RESEARCH_INSTRUCTIONS,
      input: brief,
      tools: [tool],
      tool_choice: 'required',
      store: false,
      stream: true,
    },
    { signal },
  );
  // The items are the truth: the text on top of a streamed response is empty.
  const items: ResponseOutputItem[] = [];
  let isComplete = false;
  for await (const event of stream) {
    if (event.type === 'response.output_item.done') {
      items.push(event.item);
      for (const query of queriesOf([event.item])) news.query(query);
    }
    if (
      event.type === 'response.completed' ||
      event.type === 'response.incomplete' ||
      event.type === 'response.failed'
    ) {
      const { usage } = event.response;
      if (usage) used(amountsOf(usage, items));
    }
    if (event.type === 'response.completed') isComplete = true;
    if (event.type === 'error' || event.type === 'response.failed') return failedInStream();
  }
  if (!isComplete) return endedEarly();
  return {
    query: brief,
    report: reportOf(items),
    queries: queriesOf(items),
    sources: citedIn(items),
    images: [],
    completedCalls: completedCalls(items),
  };
}

/** A stream that stops without its last event says nothing about the answer; it may be asked again. */
function endedEarly(): never {
  return fail('search.request_failed', 'The stream of OpenAI ended before the search was complete.', {
    retry: { kind: 'backoff' },
  });
}

function failedInStream(): never {
  return fail('search.request_failed', 'OpenAI gave the search up while it ran.', { retry: { kind: 'backoff' } });
}

function lookUps(items: readonly ResponseOutputItem[]) {
  return items.filter((item) => item.type === 'web_search_call');
}

/** Opening a page is part of a look-up and not charged; a failed one is no look-up. */
function completedCalls(items: readonly ResponseOutputItem[]): number {
  return lookUps(items).filter(({ status, action }) => status === 'completed' && action.type === 'search').length;
}

function queriesOf(items: readonly ResponseOutputItem[]): string[] {
  const told = lookUps(items).flatMap(({ action }) => {
    if (action.type !== 'search') return [];
    return action.queries !== undefined && action.queries.length > 0 ? action.queries : [action.query ?? ''];
  });
  return [...new Set(told.filter((query) => query !== ''))];
}

function textParts(items: readonly ResponseOutputItem[]) {
  return items
    .filter((item) => item.type === 'message')
    .flatMap((message) => message.content)
    .filter((part) => part.type === 'output_text');
}

const reportOf = (items: readonly ResponseOutputItem[]): string =>
  textParts(items)
    .map(({ text }) => text)
    .join('\n\n');

/** Only what the answer cites in structure; an address that merely stands in its text is no source. */
function citedIn(items: readonly ResponseOutputItem[]): SearchSource[] {
  return textParts(items)
    .flatMap(({ annotations }) => annotations)
    .filter((annotation) => annotation.type === 'url_citation')
    .map(({ url, title }) => ({ url, title }));
}

function amountsOf(usage: ResponseUsage, items: readonly ResponseOutputItem[]): Amounts {
  return {
    input_tokens: usage.input_tokens,
    cached_input_tokens: usage.input_tokens_details.cached_tokens,
    output_tokens: usage.output_tokens,
    tool_calls: completedCalls(items),
  };
}
