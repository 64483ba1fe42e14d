import { PlatformError, type FailureCode } from '#contracts/errors.ts';
import type { ModelPort } from '#contracts/ports/model.ts';
import type { ModelMessage, ModelRequest, ModelResult, ModelUsage, ToolDefinition } from '#contracts/research/model.ts';

/** One claim of a profile and what the endpoint did. */
export type ProbeCheck = {
  readonly name:
    'streaming' | 'usage' | 'reasoning' | 'tools' | 'tool results' | 'structured output' | 'parallel tools';
  readonly expected: string;
  readonly found: string;
  readonly isMet: boolean;
  /** What the endpoint refused with. */
  readonly code: FailureCode | null;
};

export type ProbeReport = {
  readonly checks: readonly ProbeCheck[];
  readonly usages: readonly ModelUsage[];
  readonly model: string | null;
};

const NUMBERS = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
};
const ADD: ToolDefinition = { name: 'add', description: 'Adds two numbers.', input_schema: NUMBERS };
const WEATHER: ToolDefinition = {
  name: 'weather',
  description: 'Tells the weather of one city.',
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const ANSWER = {
  name: 'sum',
  schema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'], additionalProperties: false },
};
const MAX_OUTPUT = 4096;
/** After these nothing else can be learned from the endpoint. */
const HOPELESS = new Set(['model.unauthenticated', 'model.not_configured', 'model.unavailable', 'model.rate_limited']);

/**
 * Holds a profile against its endpoint with a handful of small calls. Window and output limit are taken on trust: to fill them would
 * cost more than knowing them is worth.
 */
export async function probeModel(model: ModelPort, signal: AbortSignal): Promise<ProbeReport> {
  const probe = new Probe(model, signal);
  await probe.streaming();
  if (!probe.isHopeless) {
    await probe.reasoning();
    await probe.tools();
    await probe.structured();
    await probe.parallel();
  }
  return { checks: probe.checks, usages: probe.usages, model: probe.reported };
}

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ kind: 'text', text }] });

class Probe {
  readonly checks: ProbeCheck[] = [];
  readonly usages: ModelUsage[] = [];
  reported: string | null = null;
  isHopeless = false;
  readonly #model: ModelPort;
  readonly #signal: AbortSignal;
  #pieces = 0;

  constructor(model: ModelPort, signal: AbortSignal) {
    this.#model = model;
    this.#signal = signal;
  }

  async streaming(): Promise<void> {
    const result = await this.#ask('streaming', 'an answer in pieces', [user('Answer with the one word: pong')], {});
    if (result === null) return;
    this.#note('streaming', 'an answer in pieces', `${this.#pieces} pieces`, this.#pieces > 0);
    const { input_tokens: input, output_tokens: output } = result.usage;
    const isCounted = input !== null && output !== null;
    const found = isCounted ? `${input} in, ${output} out` : 'not told: costs will be unknown';
    this.#note('usage', 'tokens in and out', found, isCounted);
  }

  async reasoning(): Promise<void> {
    const { thinking } = this.#model.profile;
    if (thinking.transport === 'none') return;
    const expected = `${thinking.transport}, low`;
    const result = await this.#ask('reasoning', expected, [user('What is 17 times 23?')], { reasoning: 'low' });
    if (result === null) return;
    const tokens = result.usage.reasoning_tokens;
    const spent = tokens === null ? 'tokens not told' : `${tokens} tokens`;
    this.#note('reasoning', expected, `took ${result.reasoning ?? 'nothing'}, ${spent}`, result.reasoning !== null);
  }

  /** A call and its way back, thoughts included where the profile wants them. */
  async tools(): Promise<void> {
    const question = user('Add 2 and 3 with the tool.');
    const options: Partial<ModelRequest> = { tools: [ADD], reasoning: 'low' };
    const wanted = 'a call of add(2, 3)';
    const first = await this.#ask('tools', wanted, [question], { ...options, tool_choice: 'required' });
    if (first === null) return;
    const call = first.tool_calls[0];
    const { a, b } = call?.arguments ?? {};
    this.#note('tools', wanted, `${call?.name}(${JSON.stringify(a)}, ${JSON.stringify(b)})`, a === 2 && b === 3);
    const results = first.tool_calls.map(({ id }): ModelMessage => ({
      role: 'tool',
      call_id: id,
      content: [{ kind: 'text', text: '5' }],
      is_error: false,
    }));
    const messages: ModelMessage[] = [question, { role: 'assistant', content: first.content }, ...results];
    const second = await this.#ask('tool results', 'an answer to them', messages, options);
    if (second === null) return;
    const isAnswer = second.stop_reason === 'end';
    this.#note('tool results', 'an answer to them', isAnswer ? 'an answer' : 'another call', isAnswer);
  }

  async structured(): Promise<void> {
    const mode = this.#model.profile.structured_output;
    const result = await this.#ask('structured output', mode, [user('What is 2 + 3?')], { output: ANSWER });
    if (result === null) return;
    const value: unknown = result.structured;
    const isRecord = typeof value === 'object' && value !== null && 'sum' in value;
    const isMet = isRecord && typeof value.sum === 'number';
    this.#note('structured output', mode, isMet ? 'JSON of the schema' : 'JSON of another shape', isMet);
  }

  async parallel(): Promise<void> {
    const isExpected = this.#model.profile.parallel_tools;
    const expected = isExpected ? 'two calls at once' : 'one call at a time';
    const question = user('Look up the weather of Paris and of Tokyo. Ask for both at once.');
    const result = await this.#ask('parallel tools', expected, [question], {
      tools: [WEATHER],
      reasoning: 'low',
    });
    if (result === null) return;
    const count = result.tool_calls.length;
    this.#note('parallel tools', expected, `${count} at once`, isExpected ? count > 1 : count === 1);
  }

  /** Null when the call failed; the failure is then what was found. */
  async #ask(
    name: ProbeCheck['name'],
    expected: string,
    messages: readonly ModelMessage[],
    change: Partial<ModelRequest>,
  ): Promise<ModelResult | null> {
    this.#pieces = 0;
    const request: ModelRequest = {
      messages: [...messages],
      tools: [],
      tool_choice: 'auto',
      output: null,
      reasoning: 'off',
      max_output_tokens: Math.min(MAX_OUTPUT, this.#model.profile.max_output_tokens),
      idempotency_key: `probe-${crypto.randomUUID()}`,
      ...change,
    };
    try {
      const result = await this.#model.call(request, {
        signal: this.#signal,
        onDelta: () => void (this.#pieces += 1),
        onUsage: ({ usage, dispatch }) => dispatch === 'sent' && this.usages.push(usage),
      });
      this.reported ??= result.model;
      return result;
    } catch (thrown) {
      if (!(thrown instanceof PlatformError)) throw thrown;
      const { code, message } = thrown.failure;
      this.isHopeless ||= HOPELESS.has(code);
      this.#note(name, expected, `${code}: ${message}`, false, code);
      return null;
    }
  }

  #note(
    name: ProbeCheck['name'],
    expected: string,
    found: string,
    isMet: boolean,
    code: FailureCode | null = null,
  ): void {
    this.checks.push({ name, expected, found, isMet, code });
  }
}
