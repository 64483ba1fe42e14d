import type { ViewState } from '#contracts/http/viewer.ts';
import type { ViewerLook, ViewerSession } from '#contracts/ports/viewer.ts';

/** Pictures are asked for every two seconds while somebody looks: three that did not come are no accident. */
const STALE_MS = 6_000;
/** Three beats. */
const DISCONNECTED_MS = 10_000;

export const isHeard = ({ sinceBeatMs }: ViewerSession): boolean => sinceBeatMs <= DISCONNECTED_MS;

/** By the clock alone: a page that shows nothing new gives new pictures too. */
export function stateOf({ session, frame }: ViewerLook): ViewState {
  if (session.endedAtMs !== null) return 'ended';
  if (!isHeard(session)) return 'disconnected';
  return frame !== null && frame.ageMs > STALE_MS ? 'stale' : 'live';
}
