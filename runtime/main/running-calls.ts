import type { RunningCalls } from '#contracts/ports/paid-calls.ts';

/** Stops of calls that never began are few; more than these are forgotten, the oldest first. */
const MAX_EARLY = 1000;

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, AbortController>();
  const stoppedEarly = new Set<string>();
  return {
    begin(callId) {
      const controller = new AbortController();
      if (stoppedEarly.delete(callId)) controller.abort('stopped');
      running.set(callId, controller);
      return controller.signal;
    },
    end: (callId) => void running.delete(callId),
    abort(callId) {
      const controller = running.get(callId);
      if (controller !== undefined) return controller.abort('stopped');
      stoppedEarly.add(callId);
      const [oldest] = stoppedEarly;
      if (stoppedEarly.size > MAX_EARLY && oldest !== undefined) stoppedEarly.delete(oldest);
    },
  };
}
