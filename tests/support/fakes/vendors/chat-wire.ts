import { data, pieces, USAGE, type Wire, type WireAnswer } from './wire.ts';

const STOPS = { end: 'stop', max_output: 'length', refused: 'content_filter', window_full: 'length' };

function deltasOf({ thought, text, refusal, calls = [] }: WireAnswer): object[] {
  return [
    { role: 'assistant', content: '' },
    ...pieces(thought ?? '').map((reasoning_content) => ({ reasoning_content })),
    ...pieces(text ?? '').map((content) => ({ content })),
    ...(refusal === undefined ? [] : [{ refusal }]),
    ...calls.flatMap(({ id, name, json }, index) => [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      ...pieces(json).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
}

/** OpenAI-compatible chat completions. */
export const chatWire: Wire = {
  protocol: 'openai_chat',
  path: '/chat/completions',
  frames: (answer) => {
    const { calls = [], stop = 'end', usage = USAGE, model = 'reported-model' } = answer;
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model };
    const reason = stop === 'end' && calls.length > 0 ? 'tool_calls' : STOPS[stop];
    const counted =
      usage === null
        ? []
        : [
            {
              ...chunk,
              choices: [],
              usage: {
                prompt_tokens: usage.input,
                prompt_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.written },
                completion_tokens: usage.output,
                completion_tokens_details: { reasoning_tokens: usage.thought },
                total_tokens: usage.input + usage.output,
              },
            },
          ];
    return [
      ...deltasOf(answer).map((delta) => data({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })),
      data({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
      ...counted.map(data),
      'data: [DONE]\n\n',
    ];
  },
  error: (type, message) => ({ error: { message, type, param: null, code: type } }),
  errorFrame: (type, message) => data({ error: { message, type, code: type } }),
  strangeFrame: data({ id: 'chatcmpl-1', object: 'chat.hologram', light: [1, 2] }),
  keepAlive: ': keep-alive\n\n',
};
