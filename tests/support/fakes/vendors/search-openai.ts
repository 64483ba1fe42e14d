import { stream, type Ending, type Reply, type SseEvent } from './search-server.ts';

/** What the Responses interface streams for a hosted web search. */
export type OpenAiSearch = {
  readonly queries?: readonly string[];
  readonly status?: 'completed' | 'failed';
  readonly text?: string;
  readonly cited?: readonly { readonly url: string; readonly title: string }[];
  readonly usage?: { readonly input: number; readonly cached: number; readonly output: number };
  /** The last event; without one the stream stops short of it. */
  readonly last?: 'response.completed' | 'response.incomplete' | 'response.failed' | 'none';
  readonly ending?: Ending;
};

const FIRST = { text: 'The tower is 321 metres tall.', cited: [{ url: 'https://a.test/tower', title: 'The tower' }] };
const USAGE = { input: 12_000, cached: 8_000, output: 900 };

export function openAiReply(search: OpenAiSearch = {}): Reply {
  return stream(openAiEvents(search), search.ending);
}

export function openAiEvents(search: OpenAiSearch = {}): SseEvent[] {
  const { queries = ['tower height'], last = 'response.completed', usage = USAGE } = search;
  const items = [...queries.map((query, i) => lookUp(query, i, search.status ?? 'completed')), message(search)];
  const response = (status: string, told: object = {}) => ({
    id: 'resp_1',
    object: 'response',
    status,
    // As on the wire: in a streamed response the text on top stays empty.
    output_text: '',
    output: [],
    ...told,
  });
  const events: SseEvent[] = [{ type: 'response.created', response: response('in_progress') }];
  items.forEach((item, output_index) => {
    events.push({ type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } });
    if (item['type'] === 'web_search_call') {
      for (const step of ['in_progress', 'searching', 'completed']) {
        events.push({ type: `response.web_search_call.${step}`, output_index, item_id: item['id'] });
      }
    }
    events.push({ type: 'response.output_item.done', output_index, item });
  });
  if (last === 'none') return numbered(events);
  const told = {
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  };
  events.push({ type: last, response: response(last.replace('response.', ''), told) });
  return numbered(events);
}

const numbered = (events: readonly SseEvent[]): SseEvent[] =>
  events.map((event, sequence_number) => ({ ...event, sequence_number }));

function lookUp(query: string, index: number, status: string): Readonly<Record<string, unknown>> {
  return { type: 'web_search_call', id: `ws_${index}`, status, action: { type: 'search', query, queries: [query] } };
}

function message({ text = FIRST.text, cited = FIRST.cited }: OpenAiSearch): Readonly<Record<string, unknown>> {
  const annotations = cited.map((one) => ({ type: 'url_citation', start_index: 0, end_index: text.length, ...one }));
  const content = [{ type: 'output_text', text, annotations }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
}

/** As the vendor words it: with a part of the key in it. */
export const OPENAI_401 = {
  error: {
    message: 'Incorrect API key provided: sk-secre*******word.',
    type: 'invalid_request_error',
    code: 'invalid_api_key',
  },
};
export const OPENAI_NO_CREDIT = {
  error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
};
