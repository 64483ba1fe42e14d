import { failure, PlatformError, toFailure, type Failure } from '#contracts/errors.ts';
import type { ModelsPort } from '#contracts/ports/models.ts';
import type { FenceReads, RunningCalls } from '#contracts/ports/paid-calls.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { PaidRequest, PaidResult } from '#contracts/actors/paid-call.ts';
import { costOf, type ModelCost } from '#contracts/research/model-cost.ts';
import { costOfSearch } from '#contracts/research/search-cost.ts';
import type { ModelUsageReport } from '#contracts/research/model.ts';
import { defineEffect, type EffectContext } from '#runtime/core/authoring.ts';
import type { AbortInput, CallEnd, SendInput } from './contract.ts';

export type PaidCallPorts = {
  /** Null: no model is configured. */
  readonly models: ModelsPort | null;
  readonly search: SearchPort;
  readonly fences: FenceReads;
  readonly calls: RunningCalls;
};

type Effect = EffectContext<PaidCallPorts>;
type Ending = Pick<CallEnd, 'cost' | 'usage'>;

/** A result that no row can hold would be lost together with what it cost. */
const MAX_RESULT_CHARACTERS = 900_000;

export const paidCallEffects = {
  sendCall: defineEffect<SendInput, CallEnd, PaidCallPorts>({
    class: 'once',
    // A call ends itself after its own time; this only catches one that does not.
    timeoutMs: 660_000,
    run: async (input, fx) => {
      const stopped = await findStop(input, fx);
      if (stopped !== null) return { ended: 'failed', failure: stopped, cost: null, usage: null };
      const signal = AbortSignal.any([fx.signal, fx.ports.calls.begin(keyOf(input, fx))]);
      try {
        return await callVendor(input.call, signal, fx);
      } finally {
        fx.ports.calls.end(keyOf(input, fx));
      }
    },
  }),
  abortCall: defineEffect<AbortInput, { aborted: true }, PaidCallPorts>({
    class: 'idempotent',
    timeoutMs: 5_000,
    run: (input, fx) => {
      fx.ports.calls.abort(keyOf(input, fx));
      return Promise.resolve({ aborted: true });
    },
  }),
};

const keyOf = ({ paid_call_id }: AbortInput, { project }: Effect): string => `${project}/${paid_call_id}`;

/** A task that stopped between the reservation and now sends nothing. */
async function findStop({ fence }: SendInput, { ports }: Effect): Promise<Failure | null> {
  if (fence === null) return null;
  const state = await ports.fences.readFence(fence.scope);
  const isOpen = state !== null && state.open && state.generation === fence.generation;
  return isOpen ? null : failure('effect.aborted', 'the task was stopped before the call was sent');
}

async function callVendor(call: PaidRequest, signal: AbortSignal, fx: Effect): Promise<CallEnd> {
  let ending: Ending = { cost: null, usage: null };
  const note = (told: Ending): void => void (ending = told);
  try {
    const result =
      call.kind === 'model' ? await askModel(call, signal, fx, note) : await searchFor(call, signal, fx, note);
    const characters = JSON.stringify(result).length;
    if (characters <= MAX_RESULT_CHARACTERS) return { ended: 'answered', result, ...ending };
    const message = `the answer has ${characters} characters, the limit is ${MAX_RESULT_CHARACTERS}`;
    return { ended: 'failed', failure: failure('effect.output_too_large', message), ...ending };
  } catch (thrown) {
    // What nobody meant to throw may hold anything, a request with its key too.
    const reason =
      thrown instanceof PlatformError
        ? toFailure(thrown)
        : failure('effect.failed', `the ${call.kind} call failed unexpectedly`);
    return { ended: 'failed', failure: reason, ...ending };
  }
}

type ModelCallOf = Extract<PaidRequest, { kind: 'model' }>;
type SearchCallOf = Extract<PaidRequest, { kind: 'search' }>;

async function askModel(
  { profile, profile_version, request, timeout_ms }: ModelCallOf,
  signal: AbortSignal,
  { ports }: Effect,
  note: (ending: Ending) => void,
): Promise<PaidResult> {
  const model = ports.models?.open(profile);
  if (model === undefined || model.profile.version !== profile_version) {
    const found = model === undefined ? 'no model' : `version ${model.profile.version}`;
    const message = `the task was planned with ${profile}, version ${profile_version}; configured is ${found}`;
    throw new PlatformError(failure('model.not_configured', message));
  }
  const { prices } = model.profile;
  const result = await model.call(request, {
    signal,
    timeoutMs: timeout_ms,
    onUsage: (report) => note({ cost: costOfReport(report, prices), usage: report.usage }),
  });
  return { kind: 'model', result };
}

/** Turned away before it began is not charged; what was sent is, however it ended. */
function costOfReport({ dispatch, usage }: ModelUsageReport, prices: Parameters<typeof costOf>[1]): ModelCost | null {
  return dispatch === 'sent' ? costOf(usage, prices) : null;
}

async function searchFor(
  { request, reason }: SearchCallOf,
  signal: AbortSignal,
  { ports, project, effectId }: Effect,
  note: (ending: Ending) => void,
): Promise<PaidResult> {
  const queries: string[] = [];
  const response = await ports.search.search(request, {
    project,
    callId: effectId,
    reason,
    signal,
    onEvent: (event) => void (event.type === 'query' && queries.push(event.query)),
    onUsage: (usage) => note({ cost: costOfSearch(usage), usage: null }),
  });
  return { kind: 'search', response, queries };
}
