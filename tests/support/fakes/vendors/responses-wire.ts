import { event, pieces, USAGE, type Wire, type WireAnswer } from './wire.ts';

type Item = { readonly item: object; readonly deltas: readonly object[] };

function itemsOf({ thought, text, refusal, calls = [] }: WireAnswer): Item[] {
  const items: Item[] = [];
  if (thought !== undefined)
    items.push({
      item: {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: thought }],
        encrypted_content: 'sealed-by-the-endpoint',
      },
      deltas: pieces(thought).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        delta,
        item_id: 'rs_1',
      })),
    });
  const content: object[] = [];
  if (text !== undefined) content.push({ type: 'output_text', text, annotations: [] });
  if (refusal !== undefined) content.push({ type: 'refusal', refusal });
  if (content.length > 0)
    items.push({
      item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content },
      deltas: pieces(text ?? '').map((delta) => ({ type: 'response.output_text.delta', delta, item_id: 'msg_1' })),
    });
  for (const { id, name, json } of calls)
    items.push({
      item: { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: json, status: 'completed' },
      deltas: pieces(json).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        delta,
        item_id: `fc_${id}`,
      })),
    });
  return items;
}

function endOf(
  { stop = 'end', usage = USAGE, model = 'reported-model' }: WireAnswer,
  output: readonly object[],
): object {
  const reason = { end: null, max_output: 'max_output_tokens', refused: 'content_filter', window_full: null }[stop];
  return {
    id: 'resp_1',
    object: 'response',
    model,
    output,
    status: stop === 'end' ? 'completed' : stop === 'window_full' ? 'failed' : 'incomplete',
    incomplete_details: reason === null ? null : { reason },
    error:
      stop === 'window_full'
        ? { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' }
        : null,
    usage:
      usage === null
        ? null
        : {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.written },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.thought },
            total_tokens: usage.input + usage.output,
          },
  };
}

/** OpenAI Responses. */
export const responsesWire: Wire = {
  protocol: 'openai_responses',
  path: '/responses',
  frames: (answer) => {
    const items = itemsOf(answer);
    const model = answer.model ?? 'reported-model';
    const started = { id: 'resp_1', object: 'response', model, status: 'in_progress', output: [] };
    const last = { end: 'completed', max_output: 'incomplete', refused: 'incomplete', window_full: 'failed' }[
      answer.stop ?? 'end'
    ];
    const events: { readonly type: string; readonly [key: string]: unknown }[] = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...items.flatMap(({ item, deltas }, index) => [
        { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress' } },
        ...deltas.map((delta) => ({ output_index: index, type: '', ...delta })),
        { type: 'response.output_item.done', output_index: index, item },
      ]),
      {
        type: `response.${last}`,
        response: endOf(
          answer,
          items.map(({ item }) => item),
        ),
      },
    ];
    return events.map((one, at) => event(one.type, { ...one, sequence_number: at }));
  },
  error: (type, message) => ({ error: { message, type, param: null, code: type } }),
  errorFrame: (type, message) =>
    event('error', { type: 'error', code: type, message, param: null, sequence_number: 9 }),
  strangeFrame: event('response.hologram.delta', { type: 'response.hologram.delta', light: [1, 2] }),
  keepAlive: ': keep-alive\n\n',
};
