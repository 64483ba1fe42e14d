import { setTimeout as pause } from 'node:timers/promises';
import type { PageSession } from './page-session.ts';
import { TEXT_STATE_SCRIPT } from './serialize-script.ts';

const POLL_MS = 50;
/** So many equal measurements in a row mean that the text has come to rest; scripts may still work before everything has loaded. */
const QUIET_POLLS_COMPLETE = 3;
const QUIET_POLLS_LOADING = 10;
/** So little text beside scripts is often a placeholder for what they fetch. */
const QUIET_POLLS_THIN = 25;
const THIN_CHARS = 250;
const PROBE_TIMEOUT_MS = 10_000;

type TextState = { readonly length: number; readonly isComplete: boolean; readonly hasScripts: boolean };

async function textState(session: PageSession, signal: AbortSignal): Promise<TextState> {
  const asking = session.page.evaluate<TextState>(TEXT_STATE_SCRIPT);
  try {
    return await session.within(asking, PROBE_TIMEOUT_MS, 'waiting for its text', signal);
  } catch (error) {
    if (session.lost !== undefined || signal.aborted) throw error;
    // The document was replaced under the question: ask the new one.
    return { length: -1, isComplete: false, hasScripts: false };
  }
}

function quietPolls({ length, isComplete, hasScripts }: TextState): number {
  if (hasScripts && length < THIN_CHARS) return QUIET_POLLS_THIN;
  return isComplete ? QUIET_POLLS_COMPLETE : QUIET_POLLS_LOADING;
}

/** Waits until the document is there and its text stops growing, at most `maxMs`; a page that never rests is read as it is. */
export async function waitForContent(session: PageSession, maxMs: number, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  let last = { length: -2, generation: '' };
  for (let equal = 0; performance.now() - began < maxMs; await pause(POLL_MS)) {
    const state = await textState(session, signal);
    const { length } = state;
    const isSame = length === last.length && length >= 0 && session.generation === last.generation;
    // A page without any text may still be fetching it.
    const mayRest = length > 0 || performance.now() - began > maxMs / 2;
    equal = isSame && mayRest ? equal + 1 : 0;
    last = { length, generation: session.generation };
    if (equal >= quietPolls(state)) return;
  }
}
