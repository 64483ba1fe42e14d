import type { Dispatch, ModelDelta, ModelRequest, ModelUsage } from '#contracts/research/model.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import type { Connection } from './connection.ts';
import type { Draft } from './draft.ts';
import type { Fence } from './fence.ts';

/** What is known of a call so far; filled while the answer comes, so that a broken call tells what it used. */
export type CallRecord = {
  dispatch: Dispatch;
  usage: ModelUsage;
  requestId: string | null;
  model: string | null;
  reasoning: string | null;
};

export const newRecord = (): CallRecord => ({
  dispatch: 'not_sent',
  usage: {
    input_tokens: null,
    cached_input_tokens: null,
    cache_write_tokens: null,
    output_tokens: null,
    reasoning_tokens: null,
  },
  requestId: null,
  model: null,
  reasoning: null,
});

/** What a protocol needs for one exchange with the endpoint. */
export type Exchange = {
  readonly profile: ModelProfile;
  readonly request: ModelRequest;
  readonly connection: Connection;
  readonly fence: Fence;
  readonly record: CallRecord;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly tell: (delta: ModelDelta) => void;
};

/** One wire protocol: sends the request once, follows the stream to its end mark, and returns what came, not yet judged. */
export type Protocol = (exchange: Exchange) => Promise<Draft>;
