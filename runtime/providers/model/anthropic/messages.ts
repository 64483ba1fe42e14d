import type Anthropic from '@anthropic-ai/sdk';
import type { Json } from '#contracts/json.ts';
import type { CallRecord, Exchange } from '../call-record.ts';
import { tokens, type Draft, type DraftPart, type DraftStop } from '../draft.ts';
import { brokenStream } from '../endpoint-problem.ts';
import { eventsOf, fieldOf, problemOf, requireEventStream } from '../sdk-error.ts';
import { anthropicClient } from './client.ts';
import { anthropicBody } from './request.ts';

type Event = Anthropic.RawMessageStreamEvent;
type Block = { readonly start: Anthropic.ContentBlock; text: string; json: string; signature: string };

const STOPS: Readonly<Record<string, DraftStop>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool_calls',
  max_tokens: 'max_output',
  refusal: 'refused',
  model_context_window_exceeded: 'window_full',
};

/** One exchange over the Messages API. */
export async function exchangeWithAnthropic(exchange: Exchange): Promise<Draft> {
  const { record, request, signal, timeoutMs } = exchange;
  const { body, reasoning } = anthropicBody(exchange);
  record.reasoning = reasoning;
  record.dispatch = 'sent';
  const opened = await anthropicClient(exchange.connection)
    .messages.create(body, {
      signal,
      // The deadline is kept outside; this one only must not be shorter.
      timeout: timeoutMs + 60_000,
      headers: { 'Idempotency-Key': request.idempotency_key },
    })
    .withResponse()
    .catch((thrown: unknown) => {
      throw problemOf(thrown, record);
    });
  record.requestId = opened.request_id ?? null;
  requireEventStream(opened.response);
  return followStream(eventsOf<Event>(opened.data, record), exchange);
}

async function followStream(events: AsyncIterable<Event>, { record, tell }: Exchange): Promise<Draft> {
  const blocks = new Map<number, Block>();
  let stopWord: string | null = null;
  for await (const event of events) {
    if (event.type === 'message_start') {
      record.model = event.message.model;
      countInput(record, event.message.usage);
    } else if (event.type === 'content_block_start') {
      blocks.set(event.index, {
        start: event.content_block,
        text: startText(event.content_block),
        json: '',
        signature: '',
      });
    } else if (event.type === 'content_block_delta') {
      const block = blocks.get(event.index);
      if (block !== undefined) append(block, event.delta, tell);
    } else if (event.type === 'message_delta') {
      stopWord = event.delta.stop_reason ?? stopWord;
      countInput(record, event.usage);
      countOutput(record, event.usage);
    } else if (event.type === 'message_stop') {
      return { parts: partsOf(blocks), stop: STOPS[stopWord ?? ''] ?? 'unknown', stopWord: stopWord ?? 'nothing' };
    }
    // Kinds of events that came later than this code are of no concern to it.
  }
  throw brokenStream();
}

const startText = (block: Anthropic.ContentBlock): string =>
  block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : '';

function append(block: Block, delta: Anthropic.RawContentBlockDelta, tell: Exchange['tell']): void {
  if (delta.type === 'text_delta') {
    block.text += delta.text;
    tell({ kind: 'text', text: delta.text });
  } else if (delta.type === 'thinking_delta') {
    block.text += delta.thinking;
    tell({ kind: 'reasoning', text: delta.thinking });
  } else if (delta.type === 'signature_delta') block.signature += delta.signature;
  else if (delta.type === 'input_json_delta') {
    block.json += delta.partial_json;
    tell({ kind: 'tool_arguments', text: delta.partial_json });
  }
}

function partsOf(blocks: ReadonlyMap<number, Block>): DraftPart[] {
  return [...blocks].sort(([a], [b]) => a - b).flatMap(([, block]) => partOf(block));
}

function partOf({ start, text, json, signature }: Block): DraftPart[] {
  if (start.type === 'text') return [{ kind: 'text', text }];
  if (start.type === 'tool_use') {
    const whole = json === '' ? JSON.stringify(start.input ?? {}) : json;
    return [{ kind: 'tool_call', id: start.id, name: start.name, json: whole }];
  }
  if (start.type === 'thinking') {
    const replay = { type: 'thinking', thinking: text, signature: signature === '' ? start.signature : signature };
    return [{ kind: 'reasoning', text, replay }];
  }
  if (start.type === 'redacted_thinking')
    return [{ kind: 'reasoning', text: '', replay: { type: start.type, data: start.data } satisfies Json }];
  return [];
}

/** The API counts cached input beside the rest; here it is part of it. */
function countInput(record: CallRecord, usage: Anthropic.Usage | Anthropic.MessageDeltaUsage): void {
  const plain = tokens(fieldOf(usage, 'input_tokens'));
  if (plain === null) return;
  const cached = tokens(fieldOf(usage, 'cache_read_input_tokens')) ?? record.usage.cached_input_tokens;
  const written = tokens(fieldOf(usage, 'cache_creation_input_tokens')) ?? record.usage.cache_write_tokens;
  record.usage.input_tokens = plain + (cached ?? 0) + (written ?? 0);
  record.usage.cached_input_tokens = cached;
  record.usage.cache_write_tokens = written;
}

/** Only the last event knows: the number in the first one is a beginning, not a count. */
function countOutput(record: CallRecord, usage: Anthropic.MessageDeltaUsage): void {
  record.usage.output_tokens = tokens(fieldOf(usage, 'output_tokens'));
  record.usage.reasoning_tokens = tokens(fieldOf(fieldOf(usage, 'output_tokens_details'), 'thinking_tokens'));
}
