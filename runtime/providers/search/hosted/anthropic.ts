import Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlock,
  Message,
  MessageParam,
  WebSearchTool20250305,
  WebSearchToolResultBlock,
} from '@anthropic-ai/sdk/resources/messages';
import { fail } from '#contracts/errors.ts';
import type { SearchRequest, SearchSource } from '#contracts/research/search.ts';
import type { Amounts, ProviderAnswer, ProviderCall, SearchProvider } from '../search-provider.ts';
import { createHostedProvider, RESEARCH_INSTRUCTIONS, type HostedOptions } from './hosted-search.ts';

const PROVIDER = 'anthropic';
const BASE_URL = 'https://api.anthropic.com';
export const ANTHROPIC_SEARCH_MODEL = 'claude-haiku-4-5';
const MAX_TOKENS = 8_000;
const MAX_LOOK_UPS = 8;
/** A long search is handed back unfinished (`pause_turn`) and goes on when it is sent again. */
const MAX_ROUNDS = 4;

/** Anthropic's hosted web search over the Messages interface, streamed. */
export function createAnthropicProvider(options: HostedOptions): SearchProvider {
  const { key, model, baseUrl = BASE_URL } = options;
  return createHostedProvider(
    {
      provider: PROVIDER,
      keySetting: 'ANTHROPIC_API_KEY',
      research: (request, call, used) => research(request, call, { model, used, client: clientOf(key ?? '', baseUrl) }),
    },
    options,
  );
}

/** Nothing comes from the SDK's own variables, nothing is repeated behind our back, and a redirect does not carry the key away. */
function clientOf(apiKey: string, baseURL: string): Anthropic {
  return new Anthropic({
    apiKey,
    authToken: null,
    baseURL,
    maxRetries: 0,
    timeout: 600_000,
    logLevel: 'off',
    fetchOptions: { redirect: 'error' },
  });
}

type Research = { readonly client: Anthropic; readonly model: string; readonly used: (amounts: Amounts) => void };

async function research(
  { brief, allowed_domains = [] }: SearchRequest,
  call: ProviderCall,
  { client, model, used }: Research,
): Promise<ProviderAnswer> {
  const tool: WebSearchTool20250305 = { type: 'web_search_20250305', name: 'web_search', max_uses: MAX_LOOK_UPS };
  if (allowed_domains.length > 0) tool.allowed_domains = [...allowed_domains];
  const messages: MessageParam[] = [{ role: 'user', content: brief }];
  const blocks: ContentBlock[] = [];
  let amounts: Amounts = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, tool_calls: 0 };
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const body = { model, system: RESEARCH_INSTRUCTIONS, max_tokens: MAX_TOKENS, messages, tools: [tool] };
    const message = await streamed(client, body, call);
    blocks.push(...message.content);
    amounts = added(amounts, message);
    used(amounts);
    if (message.stop_reason === 'refusal') return refused();
    if (message.stop_reason !== 'pause_turn') return answerOf(brief, blocks);
    messages.push({ role: 'assistant', content: message.content });
  }
  return fail('search.request_failed', `The search was not complete after ${MAX_ROUNDS} rounds.`);
}

function refused(): never {
  return fail('search.response_invalid', 'Anthropic refused to research the brief.');
}

type Body = Omit<Anthropic.MessageStreamParams, 'stream'>;

/** The SDK puts the message together and has a final one only after its last event; a stream that ends earlier throws. */
async function streamed(client: Anthropic, body: Body, { signal, news }: ProviderCall): Promise<Message> {
  news.sent();
  const stream = client.messages.stream(body, { signal });
  stream.on('contentBlock', (block) => {
    for (const query of queriesOf([block])) news.query(query);
  });
  return await stream.finalMessage();
}

function answerOf(brief: string, blocks: readonly ContentBlock[]): ProviderAnswer {
  const results = blocks.filter((block) => block.type === 'web_search_tool_result');
  const completed = results.filter(({ content }) => Array.isArray(content)).length;
  if (completed === 0 && results.some(isTransient)) {
    return fail('search.request_failed', 'The search tool of Anthropic was not available.', {
      retry: { kind: 'backoff' },
    });
  }
  const texts = blocks.filter((block) => block.type === 'text');
  return {
    query: brief,
    // A text is cut into a block a citation; the pieces belong together as they stand.
    report: texts.map(({ text }) => text).join(''),
    queries: queriesOf(blocks),
    sources: texts.flatMap(({ citations }) => sourcesOf(citations ?? [])),
    images: [],
    completedCalls: completed,
  };
}

function isTransient({ content }: WebSearchToolResultBlock): boolean {
  if (Array.isArray(content)) return false;
  return content.error_code === 'unavailable' || content.error_code === 'too_many_requests';
}

/** Only what the answer cites in structure; an address that merely stands in its text is no source. */
function sourcesOf(citations: readonly Anthropic.TextCitation[]): SearchSource[] {
  return citations
    .filter((citation) => citation.type === 'web_search_result_location')
    .map(({ url, title, cited_text }) => ({ url, title: title ?? '', snippet: cited_text }));
}

function queriesOf(blocks: readonly ContentBlock[]): string[] {
  const told = blocks.flatMap((block) => {
    if (block.type !== 'server_tool_use' || block.name !== 'web_search') return [];
    const query: unknown = (block.input as { query?: unknown } | null)?.query;
    return typeof query === 'string' && query !== '' ? [query] : [];
  });
  return [...new Set(told)];
}

/** Here cached tokens are counted beside the input, so they are added to what we call input. */
function added(before: Amounts, { usage }: Message): Amounts {
  const cached = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  return {
    input_tokens: before.input_tokens + usage.input_tokens + cached + written,
    cached_input_tokens: before.cached_input_tokens + cached,
    output_tokens: before.output_tokens + usage.output_tokens,
    tool_calls: before.tool_calls + (usage.server_tool_use?.web_search_requests ?? 0),
  };
}
