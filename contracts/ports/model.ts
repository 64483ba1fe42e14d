import type { ModelDelta, ModelRequest, ModelResult, ModelUsageReport } from '../research/model.ts';
import type { ModelProfile } from '../research/model-profile.ts';

export type ModelCall = {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Pieces as they come, for eyes only; the result alone has been judged. */
  readonly onDelta?: (delta: ModelDelta) => void;
  readonly onUsage?: (report: ModelUsageReport) => void;
};

/**
 * One language model behind one profile. Throws PlatformError with a code of `model.*`, or `request.invalid` for a request that
 * the profile or the endpoint cannot take.
 *
 *   MO1  A call ends in a result or in one failure. A deadline is `model.timeout`, a stop is `model.aborted`, and they are told apart.
 *   MO2  Usage is told once for each call, before the answer is judged and also on failure. What is unknown is null. A fault of the listener never fails the call.
 *   MO3  An answer that ends before its end mark is `model.unavailable` and may be asked again. JSON that is cut or of no use is `model.response_invalid`, and nobody retries it here.
 *   MO4  Refusal, truncation, full window, overload, rate limit and a wrong key are different codes. The wait that the endpoint asked for is kept.
 *   MO5  Untrusted text stands between delimiters that its author cannot know, and in no system message. A call of a tool that was not offered is refused.
 *   MO6  No key is in a failure, a usage report or a log. A redirect is not followed.
 *   MO7  Thoughts go back only to the profile that had them, and only as far as it says.
 *   MO8  A profile is checked when it is read. A missing price is unknown; currencies are not mixed.
 *   MO9  The same answer in all three protocols gives the same result.
 */
export interface ModelPort {
  readonly profile: ModelProfile;
  call(request: ModelRequest, call: ModelCall): Promise<ModelResult>;
}
