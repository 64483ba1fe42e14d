// A model vendor as the port shows it, in the hands of a test.
//
//   MF1  Every call is recorded when it is sent; a held one answers after `release`, or ends when its signal fires.
//   MF2  Usage is told before the ending, also of a call that fails or is aborted, as the port promises (MO2).

import { failure, PlatformError, type Failure } from '#contracts/errors.ts';
import type { ModelsPort } from '#contracts/ports/models.ts';
import type { ModelPort } from '#contracts/ports/model.ts';
import { engineOf } from '#contracts/research/engine.ts';
import type { Dispatch, ModelRequest, ModelResult, ModelUsage } from '#contracts/research/model.ts';
import { ModelProfile } from '#contracts/research/model-profile.ts';

export const FAR_PROFILE = ModelProfile.parse({
  name: 'far',
  version: '1',
  protocol: 'openai_chat',
  model: 'far-model',
  base_url: 'http://127.0.0.1:1/v1',
  key_variable: 'FAR_KEY',
  context_window: 16_000,
  max_output_tokens: 4000,
  parallel_tools: false,
  forced_tools: true,
  structured_output: 'json_schema',
  thinking: { transport: 'none' },
  reasoning_replay: 'never',
  prices: {
    currency: 'USD',
    version: 'far-prices',
    date: '2026-01-01',
    per_million: { input: '10', cached_input: '10', cache_write: '10', output: '100' },
  },
});

export const usageOf = (input_tokens: number | null, output_tokens: number | null): ModelUsage => ({
  input_tokens,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens,
  reasoning_tokens: 0,
});

type Scripted = { readonly failure?: Failure; readonly usage?: ModelUsage; readonly dispatch?: Dispatch };
const TEN_CENTS = usageOf(5000, 500);

export class ModelFarEnd implements ModelsPort {
  readonly sent: ModelRequest[] = [];
  profile: ModelProfile = FAR_PROFILE;
  readonly #script: Scripted[] = [];
  #held: (() => void)[] | null = null;

  /** What the next calls end with; without a word it is an answer of ten cents. */
  next(...endings: Scripted[]): this {
    this.#script.push(...endings);
    return this;
  }

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const go of held) go();
  }

  defaultEngine() {
    return engineOf(this.profile, 'prompts-1');
  }

  limits() {
    return { in_flight: 2, per_minute: null, tokens_per_minute: null, wait_ms: 60_000 };
  }

  open(profile: string): ModelPort {
    if (profile !== this.profile.name)
      throw new PlatformError(failure('model.not_configured', `no profile ${profile} is configured`));
    return { profile: this.profile, call: (request, call) => this.#call(request, call) };
  }

  async #call(request: ModelRequest, call: Parameters<ModelPort['call']>[1]): Promise<ModelResult> {
    const { failure: reason, usage = TEN_CENTS, dispatch = 'sent' } = this.#script.shift() ?? {};
    const tell = (used: ModelUsage, sent: Dispatch, code: Failure['code'] | null): void =>
      call.onUsage?.({
        call_id: request.idempotency_key,
        profile: this.profile.name,
        protocol: this.profile.protocol,
        dispatch: sent,
        usage: used,
        failure: code,
        request_id: null,
        model: null,
        duration_ms: 1,
      });
    const aborted = failure('model.aborted', 'The call was stopped.');
    if (call.signal.aborted) {
      tell(usageOf(null, null), 'not_sent', 'model.aborted');
      throw new PlatformError(aborted);
    }
    this.sent.push(request);
    await this.#turn(call.signal);
    if (call.signal.aborted) {
      // The input had been counted when it was cut off.
      tell(usageOf(usage.input_tokens, null), 'sent', 'model.aborted');
      throw new PlatformError(aborted);
    }
    tell(usage, dispatch, reason?.code ?? null);
    if (reason !== undefined) throw new PlatformError(reason);
    return {
      text: 'an answer',
      structured: null,
      tool_calls: [],
      content: [{ kind: 'text', text: 'an answer' }],
      stop_reason: 'end',
      usage,
      reasoning: null,
      request_id: null,
      model: 'far-model',
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    const held = this.#held;
    if (held === null) return Promise.resolve();
    return new Promise((resolve) => {
      held.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
