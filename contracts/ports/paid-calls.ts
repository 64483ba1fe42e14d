import type { FenceState } from '../effect.ts';

/** The stop switch of a task as it is now. */
export interface FenceReads {
  readFence(scope: string): Promise<FenceState | null>;
}

/**
 * Calls to vendors that run in this process, so that they can be stopped and still be settled.
 *
 *   CA1  A call that was aborted before it began finds its signal fired.
 *   CA2  Whoever ends a call forgets it; aborting one that is not here does nothing.
 */
export interface RunningCalls {
  /** The signal of this call; `end` it in any case. */
  begin(callId: string): AbortSignal;
  end(callId: string): void;
  abort(callId: string): void;
}
