import type OpenAI from 'openai';
import type { Json } from '#contracts/json.ts';
import type { CallRecord, Exchange } from '../call-record.ts';
import { tokens, type Draft, type DraftPart, type DraftStop } from '../draft.ts';
import { brokenStream } from '../endpoint-problem.ts';
import { eventsOf, fieldOf, problemOf, requireEventStream } from '../sdk-error.ts';
import { openaiClient } from './client.ts';
import { responsesBody } from './responses-request.ts';

type Event = OpenAI.Responses.ResponseStreamEvent;
type Item = OpenAI.Responses.ResponseOutputItem;

/** One exchange over the Responses API. */
export async function exchangeWithResponses(exchange: Exchange): Promise<Draft> {
  const { record, request, signal, timeoutMs } = exchange;
  const { body, reasoning } = responsesBody(exchange);
  record.reasoning = reasoning;
  record.dispatch = 'sent';
  const opened = await openaiClient(exchange.connection)
    .responses.create(body, {
      signal,
      timeout: timeoutMs + 60_000,
      headers: { 'Idempotency-Key': request.idempotency_key },
    })
    .withResponse()
    .catch((thrown: unknown) => {
      throw problemOf(thrown, record);
    });
  record.requestId = opened.request_id;
  requireEventStream(opened.response);
  return followStream(eventsOf<Event>(opened.data, record), exchange);
}

async function followStream(events: AsyncIterable<Event>, { record, tell }: Exchange): Promise<Draft> {
  const items = new Map<number, Item>();
  for await (const event of events) {
    if (event.type === 'response.created') record.model = event.response.model;
    else if (event.type === 'response.output_text.delta') tell({ kind: 'text', text: event.delta });
    else if (event.type === 'response.reasoning_summary_text.delta') tell({ kind: 'reasoning', text: event.delta });
    else if (event.type === 'response.function_call_arguments.delta')
      tell({ kind: 'tool_arguments', text: event.delta });
    else if (event.type === 'response.output_item.done') items.set(event.output_index, event.item);
    else if (event.type === 'error') throw problemOf({ error: event }, record);
    else if (event.type === 'response.failed') {
      count(record, event.response);
      throw problemOf({ error: event.response.error ?? {} }, record);
    } else if (event.type === 'response.completed' || event.type === 'response.incomplete') {
      record.model = event.response.model;
      count(record, event.response);
      return draftOf(itemsOf(items, event.response), event.response);
    }
    // Kinds of events that came later than this code are of no concern to it.
  }
  throw brokenStream();
}

function itemsOf(items: ReadonlyMap<number, Item>, response: OpenAI.Responses.Response): readonly Item[] {
  const streamed = [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
  return streamed.length > 0 ? streamed : response.output;
}

function draftOf(items: readonly Item[], response: OpenAI.Responses.Response): Draft {
  const stopWord = response.incomplete_details?.reason ?? response.status ?? 'nothing';
  return { parts: items.flatMap(partsOf), stop: stopOf(items, response), stopWord };
}

function stopOf(items: readonly Item[], response: OpenAI.Responses.Response): DraftStop {
  const isRefusal = items.some(
    (item) => item.type === 'message' && item.content.some(({ type }) => type === 'refusal'),
  );
  const reason = response.incomplete_details?.reason;
  if (isRefusal || reason === 'content_filter') return 'refused';
  if (reason === 'max_output_tokens') return 'max_output';
  if (response.status !== 'completed') return 'unknown';
  return items.some(({ type }) => type === 'function_call') ? 'tool_calls' : 'end';
}

function partsOf(item: Item): DraftPart[] {
  if (item.type === 'message')
    return item.content.flatMap((part) => (part.type === 'output_text' ? [{ kind: 'text', text: part.text }] : []));
  if (item.type === 'function_call')
    return [{ kind: 'tool_call', id: item.call_id, name: item.name, json: item.arguments }];
  if (item.type !== 'reasoning') return [];
  const text = item.summary.map((summary) => summary.text).join('\n');
  const { id, summary, encrypted_content: encrypted } = item;
  const replay = { type: 'reasoning', id, summary: summary as unknown as Json, encrypted_content: encrypted ?? null };
  return [{ kind: 'reasoning', text, replay }];
}

function count(record: CallRecord, response: OpenAI.Responses.Response): void {
  const { usage } = response;
  const input = fieldOf(usage, 'input_tokens_details');
  record.usage = {
    input_tokens: tokens(fieldOf(usage, 'input_tokens')),
    cached_input_tokens: tokens(fieldOf(input, 'cached_tokens')),
    cache_write_tokens: tokens(fieldOf(input, 'cache_write_tokens')),
    output_tokens: tokens(fieldOf(usage, 'output_tokens')),
    reasoning_tokens: tokens(fieldOf(fieldOf(usage, 'output_tokens_details'), 'reasoning_tokens')),
  };
}
