import { fromPromise, type PromiseActorLogic } from 'xstate';
import type { EffectClass, FenceRequirement } from '#contracts/effect.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import { Failure, failure } from '#contracts/errors.ts';
import type { Request } from './requests.ts';

/**
 * The implementation of every action that asks for something. It never runs: its resolved `params` are the requests.
 * `actions: { announceQueued: requestAction }`, used as `{ type: 'announceQueued', params: ({ context }) => [publish(…)] }`.
 */
export function requestAction(_args: unknown, _requests: readonly Request[]): void {}

/**
 * Stands for an effect in `setup({ actors })`. It is never started: an `invoke` of it declares an effect row,
 * and the result comes back as the invoke's `onDone` or `onError`.
 */
export function effectLogic<Input, Output>(): PromiseActorLogic<Output, Input> {
  return fromPromise<Output, Input>(neverStarted);
}

function neverStarted(): Promise<never> {
  return Promise.reject(new TypeError('effects are run by the host, never by XState'));
}

export type EffectContext<Ports> = {
  readonly ports: Ports;
  /** Fires when the actor left the state, the fence moved, the deadline passed or the host stops. */
  readonly signal: AbortSignal;
  /** Globally unique; hand it on as the idempotency key. */
  readonly effectId: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly project: string;
  readonly actor: ActorAddress;
  readonly fence: FenceRequirement | null;
  nowMs(): number;
};

export type EffectDefinition<Input, Output, Ports> = {
  readonly class: EffectClass;
  /** Deadline of one attempt. */
  readonly timeoutMs: number;
  /** Most attempts of an `idempotent` effect, the first included; default 3. */
  readonly attempts?: number;
  /** Throws `PlatformError` on expected failures; its `retry` decides repetition. */
  readonly run: (input: Input, fx: EffectContext<Ports>) => Promise<Output>;
};

export type AnyEffect = EffectDefinition<never, unknown, never>;

/** Gives `run` its types; changes nothing. */
export function defineEffect<Input, Output, Ports>(
  effect: EffectDefinition<Input, Output, Ports>,
): EffectDefinition<Input, Output, Ports> {
  return effect;
}

/** The failure inside an `onError` event. */
export function failureOf(event: { readonly error?: unknown }): Failure {
  const parsed = Failure.safeParse(event.error);
  return parsed.success ? parsed.data : failure('effect.failed', String(event.error));
}
