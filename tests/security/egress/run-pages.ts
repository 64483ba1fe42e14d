import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright';

export type Visit = { readonly path: string; readonly isDone: () => boolean };

const PAGE_TIMEOUT_MS = 8000;
const CALL_TIMEOUT_MS = 3000;
/** So long a page is given to reach what it is allowed to reach; a silent one is waited for in full. */
const WAIT_MS = 2500;
/** What it tries beside that has begun by then, too. */
const REST_MS = 100;
const POLL_MS = 25;

/** Pages that move while they are opened or closed can leave such a call without an answer; what counts is what was heard. */
async function atMost<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const stop = new AbortController();
  const late = pause(ms, undefined, { signal: stop.signal }).catch(() => undefined);
  const done = await Promise.race([work.catch(() => undefined), late]);
  stop.abort();
  return done;
}

async function visit(context: BrowserContext, origin: string, { path, isDone }: Visit): Promise<void> {
  const page = await atMost(context.newPage(), PAGE_TIMEOUT_MS);
  if (page === undefined) return;
  const opening = page.goto(origin + path, { waitUntil: 'commit', timeout: PAGE_TIMEOUT_MS });
  await atMost(opening, PAGE_TIMEOUT_MS);
  const began = performance.now();
  while (!isDone() && performance.now() - began < WAIT_MS) await pause(POLL_MS);
  await pause(REST_MS);
  await closeAll(page);
}

async function closeAll(page: Page): Promise<void> {
  const pages = page.context().pages();
  await Promise.all(pages.map((one) => atMost(one.close(), CALL_TIMEOUT_MS)));
}

/** Opens all pages, one at a time in each context. */
export async function runPages(
  contexts: readonly BrowserContext[],
  origin: string,
  visits: readonly Visit[],
): Promise<void> {
  const left = [...visits];
  const work = async (context: BrowserContext): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await visit(context, origin, next);
  };
  await Promise.all(contexts.map(work));
}
