import { event, pieces, USAGE, type Wire, type WireAnswer } from './wire.ts';

const STOPS = {
  end: 'end_turn',
  max_output: 'max_tokens',
  refused: 'refusal',
  window_full: 'model_context_window_exceeded',
};

function block(index: number, start: object, deltas: readonly object[]): string[] {
  return [
    event('content_block_start', { type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { type: 'content_block_delta', index, delta })),
    event('content_block_stop', { type: 'content_block_stop', index }),
  ];
}

function blocks({ thought, text, calls = [] }: WireAnswer): string[] {
  const made: ((index: number) => string[])[] = [];
  if (thought !== undefined)
    made.push((index) =>
      block(index, { type: 'thinking', thinking: '', signature: '' }, [
        ...pieces(thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: 'signed-by-the-endpoint' },
      ]),
    );
  if (text !== undefined)
    made.push((index) =>
      block(
        index,
        { type: 'text', text: '' },
        pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
      ),
    );
  for (const { id, name, json } of calls)
    made.push((index) =>
      block(
        index,
        { type: 'tool_use', id, name, input: {} },
        pieces(json).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      ),
    );
  return made.flatMap((make, index) => make(index));
}

/** Anthropic Messages, version 2023-06-01. */
export const anthropicWire: Wire = {
  protocol: 'anthropic_messages',
  path: '/v1/messages',
  frames: (answer) => {
    const { usage = USAGE, calls = [], stop = answer.refusal === undefined ? 'end' : 'refused' } = answer;
    const input =
      usage === null
        ? {}
        : {
            input_tokens: usage.input - usage.cached - usage.written,
            cache_read_input_tokens: usage.cached,
            cache_creation_input_tokens: usage.written,
            output_tokens: 1,
          };
    const output =
      usage === null ? {} : { output_tokens: usage.output, output_tokens_details: { thinking_tokens: usage.thought } };
    const reason = stop === 'end' && calls.length > 0 ? 'tool_use' : STOPS[stop];
    const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], stop_reason: null };
    return [
      event('message_start', {
        type: 'message_start',
        message: { ...message, model: answer.model ?? 'reported-model', usage: input },
      }),
      ...blocks(answer),
      event('message_delta', {
        type: 'message_delta',
        delta: { stop_reason: reason, stop_sequence: null },
        usage: output,
      }),
      event('message_stop', { type: 'message_stop' }),
    ];
  },
  error: (type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_1' }),
  errorFrame: (type, message) => event('error', { type: 'error', error: { type, message } }),
  strangeFrame: event('content_hologram', { type: 'content_hologram', index: 0, light: [1, 2] }),
  keepAlive: event('ping', { type: 'ping' }),
};
