import type OpenAI from 'openai';
import type { CallRecord, Exchange } from '../call-record.ts';
import { tokens, type Draft, type DraftPart, type DraftStop } from '../draft.ts';
import { brokenStream } from '../endpoint-problem.ts';
import { eventsOf, fieldOf, problemOf, requireEventStream } from '../sdk-error.ts';
import { chatBody } from './chat-request.ts';
import { openaiClient } from './client.ts';

type Chunk = OpenAI.ChatCompletionChunk;
type Call = { id: string; name: string; json: string };
/** What has come so far. */
type Gathered = {
  text: string;
  thoughts: string;
  thoughtsField: string;
  readonly calls: Call[];
  /** Where the pieces of the call with an index go. */
  readonly open: Map<number, Call>;
  isRefused: boolean;
  stopWord: string | null;
};

const STOPS: Readonly<Record<string, DraftStop>> = {
  stop: 'end',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'max_output',
  content_filter: 'refused',
};

/** Compatible servers send thoughts in a field of their own, under one of these names. */
const THOUGHT_FIELDS = ['reasoning_content', 'reasoning'];

/** One exchange over chat completions. */
export async function exchangeWithChat(exchange: Exchange): Promise<Draft> {
  const { record, request, signal, timeoutMs } = exchange;
  const { body, reasoning } = chatBody(exchange);
  record.reasoning = reasoning;
  record.dispatch = 'sent';
  const opened = await openaiClient(exchange.connection)
    .chat.completions.create(body, {
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
  return followStream(eventsOf<Chunk>(opened.data, record), exchange);
}

async function followStream(chunks: AsyncIterable<Chunk>, { record, tell }: Exchange): Promise<Draft> {
  const gathered: Gathered = {
    text: '',
    thoughts: '',
    thoughtsField: '',
    calls: [],
    open: new Map(),
    isRefused: false,
    stopWord: null,
  };
  for await (const chunk of chunks) {
    if (typeof chunk.model === 'string' && chunk.model !== '') record.model = chunk.model;
    count(record, fieldOf(chunk, 'usage'));
    // The last chunk holds nothing but the usage, and some servers send chunks of other kinds.
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (choice === undefined) continue;
    gather(gathered, choice.delta, tell);
    gathered.stopWord = choice.finish_reason ?? gathered.stopWord;
  }
  // The end mark is the reason, not the `[DONE]` line, which the SDK does not show.
  if (gathered.stopWord === null) throw brokenStream();
  return draftOf(gathered, gathered.stopWord);
}

function gather(
  gathered: Gathered,
  delta: OpenAI.ChatCompletionChunk.Choice.Delta | undefined,
  tell: Exchange['tell'],
): void {
  if (typeof delta?.content === 'string' && delta.content !== '') {
    gathered.text += delta.content;
    tell({ kind: 'text', text: delta.content });
  }
  if (typeof delta?.refusal === 'string' && delta.refusal !== '') gathered.isRefused = true;
  const field = THOUGHT_FIELDS.find((name) => typeof fieldOf(delta, name) === 'string');
  if (field !== undefined) {
    const text = String(fieldOf(delta, field));
    gathered.thoughtsField = field;
    gathered.thoughts += text;
    if (text !== '') tell({ kind: 'reasoning', text });
  }
  for (const piece of delta?.tool_calls ?? []) {
    addPiece(gathered, piece);
    const json = piece.function?.arguments ?? '';
    if (json !== '') tell({ kind: 'tool_arguments', text: json });
  }
}

/** A piece with a new id begins a new call: some servers give all calls the same index, or none. */
function addPiece({ calls, open }: Gathered, piece: OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall): void {
  const index = typeof piece.index === 'number' ? piece.index : 0;
  let call = open.get(index);
  const isNew = call === undefined || (piece.id !== undefined && piece.id !== '' && piece.id !== call.id);
  if (call === undefined || isNew) {
    call = { id: piece.id ?? '', name: '', json: '' };
    calls.push(call);
    open.set(index, call);
  }
  call.name += piece.function?.name ?? '';
  call.json += piece.function?.arguments ?? '';
}

function draftOf(gathered: Gathered, stopWord: string): Draft {
  const { text, thoughts, thoughtsField, calls, isRefused } = gathered;
  const parts: DraftPart[] = [];
  if (thoughts !== '') parts.push({ kind: 'reasoning', text: thoughts, replay: { [thoughtsField]: thoughts } });
  if (text !== '') parts.push({ kind: 'text', text });
  // A server without ids gets ones made from the place of the call, so that its result can name it.
  calls.forEach((call, at) => parts.push({ kind: 'tool_call', ...call, id: call.id === '' ? `call_${at}` : call.id }));
  return { parts, stop: isRefused ? 'refused' : (STOPS[stopWord] ?? 'unknown'), stopWord };
}

function count(record: CallRecord, usage: unknown): void {
  if (typeof usage !== 'object' || usage === null) return;
  const prompt = fieldOf(usage, 'prompt_tokens_details');
  record.usage = {
    input_tokens: tokens(fieldOf(usage, 'prompt_tokens')),
    cached_input_tokens: tokens(fieldOf(prompt, 'cached_tokens') ?? fieldOf(usage, 'prompt_cache_hit_tokens')),
    cache_write_tokens: tokens(fieldOf(prompt, 'cache_write_tokens')),
    output_tokens: tokens(fieldOf(usage, 'completion_tokens')),
    reasoning_tokens: tokens(fieldOf(fieldOf(usage, 'completion_tokens_details'), 'reasoning_tokens')),
  };
}
