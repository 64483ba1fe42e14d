import { setTimeout as pause } from 'node:timers/promises';
import type { FrameWorld } from './frame-worlds.ts';
import type { PageSession } from './page-session.ts';
import { CHANGES_SCRIPT, REST_SCRIPT } from './rest-script.ts';

/** So long without a change of the text means that it has come to rest; scripts may still work before everything has loaded. */
const COMPLETE_MS = 100;
const LOADING_MS = 500;
/** So little text beside scripts is often a placeholder for what they fetch. */
const THIN_MS = 1250;
const THIN_CHARS = 250;
const DRAFT_MS = 40;
const MOST_DRAFTS = 2;
const LOOK_MS = 20;
const ANSWER_SLACK_MS = 10_000;

type Answer = {
  readonly state: 'draft' | 'rest' | 'late';
  readonly changes: number;
  readonly isGarbled: boolean;
};

export type Rest = { readonly changes: number; readonly isGarbled: boolean };

async function evaluateIn<T>({ cdp, contextId }: FrameWorld, expression: string): Promise<T> {
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new TypeError(exceptionDetails.text);
  return result.value as T;
}

/**
 * Waits until the document is there and its text stops changing, at most `maxMs`; a page that never rests is read as it is.
 * `draft` is called when a reading is worth to be begun while the rest is waited for.
 */
export async function waitForContent(
  session: PageSession,
  maxMs: number,
  draft: (changes: number) => void,
  signal: AbortSignal,
): Promise<Rest> {
  const until = performance.now() + maxMs;
  let drafted = 0;
  let drafts = MOST_DRAFTS;
  for (let leftMs = maxMs; leftMs > 0; leftMs = until - performance.now()) {
    const limits = {
      completeMs: COMPLETE_MS,
      loadingMs: LOADING_MS,
      thinMs: THIN_MS,
      thinChars: THIN_CHARS,
      draftMs: DRAFT_MS,
      lookMs: LOOK_MS,
      maxMs: leftMs,
      drafted,
      drafts,
    };
    const answer = await ask(session, `(${REST_SCRIPT})(${JSON.stringify(limits)})`, leftMs, signal);
    if (answer === undefined) continue;
    if (answer.state !== 'draft') return answer;
    drafted = answer.changes;
    drafts -= 1;
    draft(drafted);
  }
  return { changes: 0, isGarbled: false };
}

async function ask(
  session: PageSession,
  expression: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const asking = session.worlds.mainWorld().then((world) => evaluateIn<Answer>(world, expression));
  try {
    return await session.within(asking, waitMs + ANSWER_SLACK_MS, 'waiting for its text', signal);
  } catch (error) {
    if (session.lost !== undefined || signal.aborted) throw error;
    // The document was replaced under the question: ask the new one.
    await pause(LOOK_MS);
    return undefined;
  }
}

/** Changes of the document since it was first asked; 0 when that cannot be told. */
export async function changesOf(session: PageSession, signal: AbortSignal): Promise<number> {
  const asking = session.worlds.mainWorld().then((world) => evaluateIn<number>(world, CHANGES_SCRIPT));
  try {
    return await session.within(asking, ANSWER_SLACK_MS, 'asking what changed', signal);
  } catch (error) {
    if (session.lost !== undefined || signal.aborted) throw error;
    return 0;
  }
}
