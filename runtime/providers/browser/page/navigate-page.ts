import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from 'playwright';
import { fail, PlatformError } from '#contracts/errors.ts';
import type { EgressProxy } from '../egress/egress-proxy.ts';
import type { ReaderPort } from '#contracts/ports/reader.ts';
import type { PageSession } from './page-session.ts';
import { beginDraft } from './read-page.ts';
import { waitForContent } from './wait-for-content.ts';

const NAVIGATION_TIMEOUT_MS = 25_000;
const CONTENT_WAIT_MS = 5000;
const MAX_URL_CHARS = 8000;

/** Only http and https are opened; `file:` would read this machine although a proxy is set. */
export function requireWebAddress(address: string): URL {
  if (address.length > MAX_URL_CHARS || !URL.canParse(address))
    fail('browser.not_dispatched', 'The address is not valid.');
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    fail('browser.egress_refused', `Only http and https addresses are opened, not ${url.protocol.slice(0, 20)}`);
  }
  if (url.username !== '' || url.password !== '')
    fail('browser.egress_refused', 'Addresses with a user name are not opened.');
  return url;
}

type Visit = { readonly since: number; readonly documents: string[] };

function refusalOf(session: PageSession, proxy: EgressProxy, visit: Visit): string | undefined {
  const targets = new Set<string>();
  for (const address of visit.documents) {
    const url = new URL(address);
    targets.add(url.href);
    targets.add(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`);
  }
  const refusals = proxy.verdicts.since(session.request.sessionId, visit.since);
  return refusals.find(({ target }) => targets.has(target) || targets.has(hrefOf(target)))?.reason;
}

function hrefOf(target: string): string {
  return URL.canParse(target) ? new URL(target).href : target;
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  return /net::(ERR_\w+)/u.exec(message)?.[1] ?? message.slice(0, 200);
}

function failNavigation(session: PageSession, error: unknown, refusal: string | undefined): never {
  if (error instanceof PlatformError) throw error;
  if (session.lost !== undefined) throw new PlatformError(session.lost, { cause: error });
  if (refusal !== undefined)
    fail('browser.egress_refused', `The connection was refused: ${refusal}.`, { cause: error });
  const type = session.guard.unreadableType;
  if (type !== undefined)
    fail('page.unreadable', `Files of this type are not read: ${type.slice(0, 80)}.`, { cause: error });
  const reason = reasonOf(error);
  if (error instanceof Error && error.name === 'TimeoutError')
    fail('browser.timeout', 'The page did not answer in time.', { cause: error, retry: { kind: 'backoff' } });
  if (reason === 'ERR_INVALID_AUTH_CREDENTIALS')
    fail('page.blocked', 'The site asks for a user name and a password.', { cause: error });
  return fail('browser.navigation_failed', `The page could not be opened: ${reason}.`, {
    cause: error,
    retry: { kind: 'backoff' },
  });
}

/** Opens an address and waits until its text has come to rest; afterwards the page can no longer move by itself. */
export async function navigatePage(
  session: PageSession,
  { proxy, reader }: { readonly proxy: EgressProxy; readonly reader: ReaderPort },
  address: string,
  signal: AbortSignal,
): Promise<void> {
  const url = requireWebAddress(address);
  session.draft = undefined;
  session.robots = await proxy.requireRobots(session.request.sessionId, url, signal);
  const visit: Visit = { since: proxy.verdicts.now, documents: [url.href] };
  const note = (request: Request): void => {
    if (request.isNavigationRequest() && request.frame() === session.page.mainFrame() && URL.canParse(request.url()))
      visit.documents.push(request.url());
  };
  session.page.on('request', note);
  session.guard.begin();
  try {
    await commit(session, url.href, signal);
    if (session.guard.raw === undefined) await settle(session, reader, url.href, signal);
  } catch (error) {
    session.hasFailed = true;
    failNavigation(session, error, refusalOf(session, proxy, visit));
  } finally {
    session.page.off('request', note);
    session.guard.settle();
  }
  checkArrival(session, proxy, visit);
  await askRobotsOfArrival(session, proxy, url, signal);
  await session.syncGeneration(signal);
}

/** Waits for the text and begins to read it meanwhile; bytes that the browser decoded by a wrong charset are fetched as they are. */
async function settle(session: PageSession, reader: ReaderPort, href: string, signal: AbortSignal): Promise<void> {
  const draft = (changes: number): void => beginDraft(session, reader, changes, signal);
  const rest = await waitForContent(session, CONTENT_WAIT_MS, draft, signal);
  if (session.guard.raw !== undefined) return;
  if (rest.isGarbled) {
    session.draft = undefined;
    session.guard.takesHtml = true;
    await commit(session, href, signal);
  } else if (session.draft?.changes !== rest.changes) draft(rest.changes);
}

/** A redirect may have led to a page of which nobody has asked yet. */
async function askRobotsOfArrival(
  session: PageSession,
  proxy: EgressProxy,
  asked: URL,
  signal: AbortSignal,
): Promise<void> {
  const arrival = new URL(session.page.url());
  if (arrival.origin === asked.origin && arrival.pathname === asked.pathname && arrival.search === asked.search) return;
  try {
    session.robots = await proxy.requireRobots(session.request.sessionId, arrival, signal);
  } catch (error) {
    session.hasFailed = true;
    throw error;
  }
}

/** After a failure the error page of the browser may still be on its way in, and would interrupt what comes next. */
async function leaveErrorPage(session: PageSession, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; session.hasFailed && attempt < 10; attempt += 1) {
    try {
      await session.within(session.page.goto('about:blank', { timeout: 5000 }), 6000, 'clearing it', signal);
      session.hasFailed = false;
    } catch (error) {
      if (error instanceof PlatformError) throw error;
      await pause(50);
    }
  }
}

async function commit(session: PageSession, href: string, signal: AbortSignal): Promise<void> {
  await leaveErrorPage(session, signal);
  const opening = session.page.goto(href, { waitUntil: 'commit', timeout: NAVIGATION_TIMEOUT_MS });
  session.response = (await session.within(opening, NAVIGATION_TIMEOUT_MS + 2000, 'opening it', signal)) ?? undefined;
}

function checkArrival(session: PageSession, proxy: EgressProxy, visit: Visit): void {
  const refusal = refusalOf(session, proxy, visit);
  const isMarked = session.response?.headers()[proxy.refusalHeader] !== undefined;
  if (isMarked || (refusal !== undefined && session.page.url().startsWith('chrome-error:'))) {
    fail('browser.egress_refused', `The connection was refused: ${refusal ?? 'the destination is not allowed'}.`);
  }
  if (!/^https?:/u.test(session.page.url())) {
    if (refusal !== undefined) fail('browser.egress_refused', `The connection was refused: ${refusal}.`);
    fail(
      'browser.navigation_failed',
      `The page moved to an address that is not opened (${session.page.url().slice(0, 40)}).`,
    );
  }
}
