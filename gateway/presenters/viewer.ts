import type { BrowserSessionView, FrameHeadView, ViewerGrantView } from '#contracts/http/viewer.ts';
import type { FrameHead, ViewerGrant, ViewerSession } from '#contracts/ports/viewer.ts';
import { isHeard } from '../viewer/view-state.ts';

export const timeOf = (ms: number): string => new Date(ms).toISOString();

export function presentSession(session: ViewerSession): BrowserSessionView {
  const { sessionId, taskId, owner, openedAtMs, endedAtMs } = session;
  return {
    session_id: sessionId,
    task_id: taskId,
    owner,
    state: endedAtMs !== null ? 'ended' : isHeard(session) ? 'open' : 'disconnected',
    opened_time: timeOf(openedAtMs),
    ended_time: endedAtMs === null ? null : timeOf(endedAtMs),
  };
}

export function presentFrame(frame: FrameHead): FrameHeadView {
  const { seq, capturedAtMs, documentGeneration, withheld, url, title, width, height } = frame;
  return {
    frame_id: String(seq),
    captured_time: timeOf(capturedAtMs),
    document_generation: documentGeneration,
    withheld,
    url,
    title,
    width,
    height,
  };
}

export function presentGrant({ grantId, sessionId, scope, endsAtMs }: ViewerGrant): ViewerGrantView {
  return { grant_id: grantId, session_id: sessionId, scope, expires_time: timeOf(endsAtMs) };
}
