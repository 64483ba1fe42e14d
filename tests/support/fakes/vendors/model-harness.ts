import { PlatformError, type Failure } from '#contracts/errors.ts';
import type { LogFields, Logger } from '#contracts/ports/logger.ts';
import type { ModelCall, ModelPort } from '#contracts/ports/model.ts';
import type { ModelDelta, ModelRequest, ModelResult, ModelUsageReport } from '#contracts/research/model.ts';
import { ModelProfile } from '#contracts/research/model-profile.ts';
import { createModel } from '#runtime/providers/model/model.ts';
import { systemClock } from '#runtime/main/system-time.ts';
import { anthropicWire } from './anthropic-wire.ts';
import { chatWire } from './chat-wire.ts';
import { ModelServer, type Reply, type SeenRequest } from './model-server.ts';
import { responsesWire } from './responses-wire.ts';
import type { Wire } from './wire.ts';

export const WIRES: readonly Wire[] = [anthropicWire, responsesWire, chatWire];
export const KEY = 'sk-test-4f9c2b7d81e6a053';

export type ProfileChange = { readonly [key in keyof ModelProfile]?: unknown };

export function profileFor(wire: Wire, change: ProfileChange = {}): ModelProfile {
  const isAnthropic = wire.protocol === 'anthropic_messages';
  return ModelProfile.parse({
    name: 'sample',
    version: '1',
    protocol: wire.protocol,
    model: 'sample-model',
    base_url: 'http://127.0.0.1:1',
    key_variable: 'SAMPLE_KEY',
    context_window: 100_000,
    max_output_tokens: 16_000,
    parallel_tools: true,
    forced_tools: true,
    structured_output: 'json_schema',
    thinking: isAnthropic
      ? { transport: 'adaptive', off: 'disabled', efforts: { low: 'low', medium: 'medium', high: 'high' } }
      : { transport: 'effort', efforts: { off: null, low: 'low', medium: 'medium', high: 'high' } },
    reasoning_replay: 'tool_turns',
    ...change,
  });
}

const TOOL_SCHEMA = {
  type: 'object',
  properties: { a: { type: 'number' } },
  required: ['a'],
  additionalProperties: false,
};
export const LOOK_TOOL = { name: 'look', description: 'Looks.', input_schema: TOOL_SCHEMA };
export const OUTPUT = { name: 'answer', schema: TOOL_SCHEMA };

export function requestOf(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    messages: [
      { role: 'system', content: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [{ kind: 'text', text: 'How many?' }] },
    ],
    tools: [],
    tool_choice: 'auto',
    output: null,
    reasoning: 'off',
    max_output_tokens: 4000,
    idempotency_key: 'call-1',
    ...change,
  };
}

/** Remembers what was logged, with all fields as text. */
export function listeningLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const note = (message: string, fields?: LogFields): void => {
    const error = fields?.['err'];
    lines.push(`${message} ${error instanceof Error ? String(error.stack) : JSON.stringify(fields ?? {})}`);
  };
  return { lines, debug: note, info: note, warn: note, error: note };
}

export type Asked = {
  readonly result: ModelResult | null;
  readonly failure: Failure | null;
  readonly thrown: unknown;
  readonly reports: ModelUsageReport[];
  readonly deltas: ModelDelta[];
};

/** Calls and keeps everything that comes of it. */
export async function ask(model: ModelPort, request = requestOf(), call: Partial<ModelCall> = {}): Promise<Asked> {
  const reports: ModelUsageReport[] = [];
  const deltas: ModelDelta[] = [];
  const full: ModelCall = {
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    onDelta: (delta) => void deltas.push(delta),
    onUsage: (report) => void reports.push(report),
    ...call,
  };
  try {
    return { result: await model.call(request, full), failure: null, thrown: null, reports, deltas };
  } catch (thrown) {
    if (!(thrown instanceof PlatformError)) throw thrown;
    return { result: null, failure: thrown.failure, thrown, reports, deltas };
  }
}

export type ModelWorld = { readonly server: ModelServer; readonly model: ModelPort };
export type WorldOptions = { readonly profile?: ProfileChange; readonly key?: string; readonly logger?: Logger };

/** A server that answers as told, and the real model provider in front of it. */
export async function modelWorld(
  wire: Wire,
  answer: Reply | ((request: SeenRequest, at: number) => Reply),
  { profile = {}, key = KEY, logger = listeningLogger() }: WorldOptions = {},
): Promise<ModelWorld> {
  const server = await ModelServer.start(answer);
  const model = createModel({
    profile: profileFor(wire, profile),
    connection: { baseUrl: server.url, key },
    clock: systemClock,
    logger,
  });
  return { server, model };
}
