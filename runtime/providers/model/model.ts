import { fail, failure, PlatformError, type Failure, type FailureCode } from '#contracts/errors.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { ModelCall, ModelPort } from '#contracts/ports/model.ts';
import { ModelRequest } from '#contracts/research/model.ts';
import type { ModelDelta, ModelResult, ModelUsageReport } from '#contracts/research/model.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import { newRecord, type CallRecord } from './call-record.ts';
import type { Connection } from './connection.ts';
import type { Draft } from './draft.ts';
import { endpointFailure } from './endpoint-failure.ts';
import { EndpointProblem } from './endpoint-problem.ts';
import { createFence, type Fence } from './fence.ts';
import { judgeAnswer } from './judge-answer.ts';
import { loadProtocol } from './protocols.ts';
import { withReplayedReasoning } from './replay.ts';

export type ModelOptions = {
  readonly profile: ModelProfile;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly logger: Logger;
};

const DEFAULT_TIMEOUT_MS = 300_000;
const MAX_ANSWER_CHARS = 8_000_000;

/** A model behind the port. It asks once: whether to ask again is for whoever pays. */
export function createModel(options: ModelOptions): ModelPort {
  const fence = createFence();
  return { profile: options.profile, call: (request, call) => callOnce(request, call, options, fence) };
}

async function callOnce(
  request: ModelRequest,
  call: ModelCall,
  options: ModelOptions,
  fence: Fence,
): Promise<ModelResult> {
  const { profile, clock, connection } = options;
  const startedMs = clock.nowMs();
  const record = newRecord();
  let draft: Draft;
  let failed: FailureCode | null = 'actor.defect';
  try {
    draft = await exchange(checked(request, profile), call, record, options, fence);
    failed = null;
  } catch (thrown) {
    // Nothing of what an SDK throws goes further: its errors carry the endpoint's words, and those may hold a key (MO6).
    const reason =
      thrown instanceof EndpointProblem
        ? new PlatformError(endpointFailure(thrown.error, [connection.key], clock.nowMs()))
        : thrown;
    if (reason instanceof PlatformError) failed = reason.failure.code;
    throw reason;
  } finally {
    // Told before the answer is judged: one that is of no use has been paid for all the same (MO2).
    const report = reportOf(request, profile, record, failed);
    quietly(() => call.onUsage?.({ ...report, duration_ms: clock.nowMs() - startedMs }), options.logger);
  }
  return judgeAnswer(draft, request, profile, record);
}

function checked(request: ModelRequest, profile: ModelProfile): ModelRequest {
  const parsed = ModelRequest.safeParse(request);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail('request.invalid', `Not a request to a model: ${issue?.path.join('.')} ${issue?.message}`);
  }
  const { max_output_tokens: wanted, messages } = parsed.data;
  if (wanted > profile.max_output_tokens)
    return fail('request.invalid', `${profile.name} gives at most ${profile.max_output_tokens} tokens, not ${wanted}.`);
  return { ...parsed.data, messages: withReplayedReasoning(messages, profile) };
}

/** The exchange against its deadline and the caller's signal (MO1). Whoever came first decides, however late the SDK notices. */
async function exchange(
  request: ModelRequest,
  call: ModelCall,
  record: CallRecord,
  options: ModelOptions,
  fence: Fence,
): Promise<Draft> {
  if (call.signal.aborted) return fail('model.aborted', 'The call was stopped before it was sent.');
  const { profile, connection, clock, logger } = options;
  const timeoutMs = call.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const stop = new AbortController();
  let end = (_reason: Failure): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    end = (reason) => {
      reject(new PlatformError(reason));
      stop.abort();
    };
  });
  const onAbort = (): void => end(failure('model.aborted', 'The call was stopped.'));
  const late = failure('model.timeout', `No whole answer came within ${timeoutMs} ms.`, { retry: { kind: 'backoff' } });
  const cancel = clock.after(timeoutMs, () => end(late));
  call.signal.addEventListener('abort', onAbort, { once: true });
  let told = 0;
  const tell = (delta: ModelDelta): void => {
    if (stop.signal.aborted) return;
    told += delta.text.length;
    // An endpoint that never ends is stopped before it fills the memory.
    if (told > MAX_ANSWER_CHARS) end(failure('model.response_invalid', 'The answer of the model has no end.'));
    else quietly(() => call.onDelta?.(delta), logger);
  };
  const parts = { profile, request, connection, fence, record, timeoutMs, tell, signal: stop.signal };
  try {
    return await Promise.race([loadProtocol(profile.protocol).then((protocol) => protocol(parts)), stopped]);
  } finally {
    cancel();
    call.signal.removeEventListener('abort', onAbort);
  }
}

function reportOf(
  request: ModelRequest,
  profile: ModelProfile,
  record: CallRecord,
  failed: FailureCode | null,
): Omit<ModelUsageReport, 'duration_ms'> {
  return {
    call_id: request.idempotency_key,
    profile: profile.name,
    protocol: profile.protocol,
    dispatch: record.dispatch,
    usage: { ...record.usage },
    failure: failed,
    request_id: record.requestId,
    model: record.model,
  };
}

/** A fault of a listener is worth a line in the log, and never an answer. */
function quietly(tell: () => void, logger: Logger): void {
  try {
    tell();
  } catch (err) {
    logger.error('a listener of a model call failed', { err });
  }
}
