import { stream, type Ending, type Reply, type SseEvent } from './search-server.ts';

/** What the Messages interface streams for a hosted web search. */
export type AnthropicSearch = {
  readonly queries?: readonly string[];
  /** The tool's own error instead of results. */
  readonly toolError?: string;
  readonly text?: string;
  readonly cited?: readonly { readonly url: string; readonly title: string; readonly cited_text: string }[];
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number };
  readonly stop?: 'end_turn' | 'pause_turn' | 'refusal' | 'max_tokens' | 'none';
  readonly ending?: Ending;
};

const CITED = [{ url: 'https://a.test/tower', title: 'The tower', cited_text: 'It is 321 metres tall.' }];

export function anthropicReply(search: AnthropicSearch = {}): Reply {
  return stream(anthropicEvents(search), search.ending);
}

export function anthropicEvents(search: AnthropicSearch = {}): SseEvent[] {
  const { queries = ['tower height'], stop = 'end_turn', cited = CITED } = search;
  const { text = 'The tower is 321 metres tall.', usage = { input: 500, cached: 100, output: 300 } } = search;
  const blocks = queries.flatMap((query, i) => [toolUse(query, i), toolResult(i, cited, search.toolError)]);
  const events: SseEvent[] = [{ type: 'message_start', message: emptyMessage(usage) }];
  [...blocks, textBlock(text, stop === 'pause_turn' ? [] : cited)].forEach((deltas, index) => {
    const [content_block, ...rest] = deltas;
    events.push({ type: 'content_block_start', index, content_block });
    for (const delta of rest) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  });
  if (stop === 'none') return events;
  const told = {
    output_tokens: usage.output,
    server_tool_use: { web_search_requests: search.toolError === undefined ? queries.length : 0 },
  };
  events.push({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: told });
  events.push({ type: 'message_stop' });
  return events;
}

type Deltas = readonly object[];

const emptyMessage = (usage: NonNullable<AnthropicSearch['usage']>) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
    server_tool_use: null,
  },
});

/** The query comes in pieces, as tool input always does. */
function toolUse(query: string, index: number): Deltas {
  const input = JSON.stringify({ query });
  const cut = Math.ceil(input.length / 2);
  return [
    { type: 'server_tool_use', id: `srvtoolu_${index}`, name: 'web_search', input: {} },
    { type: 'input_json_delta', partial_json: input.slice(0, cut) },
    { type: 'input_json_delta', partial_json: input.slice(cut) },
  ];
}

function toolResult(index: number, cited: NonNullable<AnthropicSearch['cited']>, toolError?: string): Deltas {
  const results = cited.map(({ url, title }) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: 'x',
    page_age: null,
  }));
  const content = toolError === undefined ? results : { type: 'web_search_tool_result_error', error_code: toolError };
  return [{ type: 'web_search_tool_result', tool_use_id: `srvtoolu_${index}`, content }];
}

function textBlock(text: string, cited: NonNullable<AnthropicSearch['cited']>): Deltas {
  const cut = Math.ceil(text.length / 2);
  return [
    { type: 'text', text: '', citations: [] },
    { type: 'text_delta', text: text.slice(0, cut) },
    ...cited.map((one) => ({
      type: 'citations_delta',
      citation: { type: 'web_search_result_location', encrypted_index: 'x', ...one },
    })),
    { type: 'text_delta', text: text.slice(cut) },
  ];
}

export const ANTHROPIC_OVERLOADED: SseEvent = {
  type: 'error',
  error: { type: 'overloaded_error', message: 'Overloaded' },
};
