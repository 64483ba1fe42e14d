import type { EffectResult } from '#contracts/effect.ts';
import { failure, toFailure, type Failure } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { DueEffect } from '#contracts/ports/actor-store.ts';
import { MAX_ROW_CHARACTERS } from '#runtime/core/finish-draft.ts';
import type { EffectContext, EffectDefinition } from '#runtime/core/authoring.ts';
import { kindOf, type HostParts } from './host-parts.ts';

type Call = DueEffect & { readonly controller: AbortController };

/** Runs one attempt. Always answers: with the output, the failure, or what the deadline or the abort means. */
export async function callEffect(parts: HostParts, call: Call): Promise<EffectResult> {
  const { effect, address, controller } = call;
  const definition = parts.definitions.get(kindOf(address))?.effects[effect.src];
  if (definition === undefined) return failed(failure('effect.failed', `no effect '${effect.src}' is known here`));
  const { signal } = controller;
  let cancelDeadline = () => {};
  const ended = new Promise<EffectResult>((resolve) => {
    const abort = () => resolve(failed(failure('effect.aborted', `aborted: ${String(signal.reason)}`)));
    signal.addEventListener('abort', abort, { once: true });
    cancelDeadline = parts.clock.after(definition.timeoutMs, () => {
      resolve(failed(timedOut(call, definition.timeoutMs)));
      controller.abort('timeout');
    });
  });
  const context = contextOf(parts, call);
  parts.logger.debug('effect starts', { effectId: context.effectId, class: effect.class, src: effect.src });
  // the pairing of an input with its effect was checked at registration
  const { run } = definition as unknown as EffectDefinition<Json, unknown, unknown>;
  try {
    const output = run(effect.input, context).then((value) => checkedResult(effect.src, value));
    return await Promise.race([output, ended]);
  } catch (thrown) {
    return failed(toFailure(thrown, 'effect.failed'));
  } finally {
    cancelDeadline();
  }
}

function contextOf(parts: HostParts, call: Call): EffectContext<unknown> {
  const { project, address, effect } = call;
  return {
    ports: parts.ports,
    signal: call.controller.signal,
    effectId: `${project}/${address}#${effect.effectId}`,
    attempt: effect.attempt + 1,
    project,
    actor: address,
    fence: effect.fence,
    nowMs: () => parts.clock.nowMs(),
  };
}

/** Only what a row can hold comes back. */
function checkedResult(src: string, value: unknown): EffectResult {
  const characters = (JSON.stringify(value) as string | undefined)?.length ?? 0;
  if (characters > MAX_ROW_CHARACTERS) {
    const message = `'${src}' answered ${characters} characters, the limit is ${MAX_ROW_CHARACTERS}`;
    return failed(failure('effect.output_too_large', message));
  }
  return { kind: 'done', output: (value ?? null) as never };
}

function failed(reason: Failure): EffectResult {
  return { kind: 'failed', failure: reason };
}

/** A deadline says nothing about what the far end did; only a repeatable effect may treat it as a failure. */
function timedOut({ effect }: Call, timeoutMs: number): Failure {
  const message = `'${effect.src}' did not answer within ${timeoutMs} ms`;
  return effect.class === 'once'
    ? failure('effect.unknown', message)
    : failure('effect.timeout', message, { retry: { kind: 'backoff' } });
}
