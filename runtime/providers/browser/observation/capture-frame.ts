// Pictures for looking on
//
// Owns:     one picture of what a session shows, and the decision that there is none.
// Owns not: who may see it (gateway), how long it counts as current (viewer).
//
//   CF1  A page with a password, card or code field anywhere, in any frame, gives no picture (VW-04).
//   CF2  The page is judged before and after the picture; when its document or its fields changed between, there is none.
//   CF3  It waits for no action and starts none; a page that does not answer gives none.
import { failure, PlatformError } from '#contracts/errors.ts';
import type { CapturedFrame, WithheldReason } from '#contracts/ports/browser.ts';
import { withDeadline } from '../deadline.ts';
import { callIn } from '../page/frame-worlds.ts';
import type { PageSession } from '../page/page-session.ts';
import { SENSITIVE_SCRIPT } from './walk-script.ts';

const JUDGE_TIMEOUT_MS = 1500;
const CAPTURE_TIMEOUT_MS = 4000;
const QUALITY = 70;

type Verdict = { readonly reason: WithheldReason | null; readonly generation: string };

/** Why no picture may be taken now. */
export async function judgeSensitive(session: PageSession): Promise<Verdict> {
  const { frames, leftOut } = await session.worlds.all();
  const generation = frames[0]?.loaderId ?? '';
  if (leftOut > 0 || frames.length === 0) return { reason: 'unanswered', generation };
  const verdicts = await Promise.all(
    frames.map((world) => callIn<WithheldReason | null>(world, SENSITIVE_SCRIPT, null)),
  );
  return { reason: verdicts.find((verdict) => verdict !== null) ?? null, generation };
}

async function judgeInTime(session: PageSession): Promise<Verdict> {
  const late = failure('browser.timeout', 'The page did not say what it shows.');
  try {
    return await withDeadline(judgeSensitive(session), JUDGE_TIMEOUT_MS, late);
  } catch {
    return { reason: 'unanswered', generation: session.generation };
  }
}

type Picture = { readonly bytes: Uint8Array; readonly width: number; readonly height: number };

async function takePicture(session: PageSession): Promise<Picture | null> {
  const late = failure('browser.timeout', 'The picture took too long.');
  try {
    const { data } = await withDeadline(session.takeScreenshot(QUALITY), CAPTURE_TIMEOUT_MS, late);
    const bytes = Buffer.from(data, 'base64');
    return { bytes, ...sizeOf(session) };
  } catch (error) {
    if (session.lost !== undefined && error instanceof PlatformError) return null;
    return null;
  }
}

function sizeOf(session: PageSession): { width: number; height: number } {
  return session.page.viewportSize() ?? { width: 0, height: 0 };
}

export async function captureFrame(session: PageSession, nowMs: () => number): Promise<CapturedFrame> {
  const capturedAtMs = nowMs();
  const withheld = (reason: WithheldReason, documentGeneration: string): CapturedFrame => ({
    kind: 'withheld',
    sessionId: session.request.sessionId,
    documentGeneration,
    capturedAtMs,
    reason,
  });
  if (session.lost !== undefined || !/^https?:/u.test(session.page.url()))
    return withheld('no_page', session.generation);
  const before = await judgeInTime(session);
  if (before.reason !== null) return withheld(before.reason, before.generation);
  const picture = await takePicture(session);
  if (picture === null) return withheld('unanswered', before.generation);
  const after = await judgeInTime(session);
  if (after.reason !== null) return withheld(after.reason, after.generation);
  if (after.generation !== before.generation) return withheld('moving', after.generation);
  return {
    kind: 'frame',
    sessionId: session.request.sessionId,
    documentGeneration: after.generation,
    capturedAtMs,
    url: session.page.url(),
    title: session.lastTitle,
    mediaType: 'image/jpeg',
    ...picture,
  };
}
