// PageSession
//
// One BrowserContext with one page, for one owner.
// Owns:     context, page, its debugging channel, the document generation, the guard, the state of the last navigation.
// Owns not: the browser process (engine), what a page means (reader), where connections may go (egress).
//
//   PS1  Calls are served one after the other.
//   PS2  The generation is the loader id of the main document: a new document has a new one, a route change has not; routes are
//        counted beside it.
//   PS3  A call that does not come back in its time closes the context; the session is then lost and says why.
//   PS4  Dialogs are dismissed at once, windows that a page opens are closed at once, downloads are refused; each is noted as an event.
import type { Browser, BrowserContext, CDPSession, Page, Response } from 'playwright';
import { fail, failure, PlatformError, type Failure } from '#contracts/errors.ts';
import type { SessionRequest } from '#contracts/ports/browser.ts';
import type { RobotsNote } from '#contracts/research/robots.ts';
import type { ActionEvent } from '#contracts/browser/action.ts';
import { withDeadline } from '../deadline.ts';
import type { ProxyCredentials } from '../egress/egress-proxy.ts';
import type { Seen } from '../observation/seen.ts';
import type { Draft } from './draft.ts';
import { FrameWorlds } from './frame-worlds.ts';
import { NavigationGuard } from './navigation-guard.ts';
import { SHADOW_SCRIPT } from './serialize-script.ts';

export type SessionParts = {
  readonly browser: Browser;
  readonly proxy: string;
  readonly credentials: ProxyCredentials;
};

const OPEN_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 3000;
/** Small questions; a page of many thousand rows on a busy machine is at work for seconds before it answers one. */
export const QUESTION_TIMEOUT_MS = 12_000;
const MAX_EVENTS = 200;

export class PageSession {
  readonly request: SessionRequest;
  generation = '';
  response: Response | undefined;
  /** What robots.txt said about the document that is open, where that is recorded. */
  robots: RobotsNote | null = null;
  observations = 0;
  /** Changes of the address inside documents, since the session opened. */
  routes = 0;
  lastTitle = '';
  /** The last observation; its handles are the only ones that count. */
  seen: Seen | undefined;
  /** What the page did of itself, oldest first. */
  readonly events: ActionEvent[] = [];
  /** A reading of the document that is open, begun before anybody asked for it. */
  draft: Draft | undefined;
  /** The last navigation failed; what the page shows now is no document of ours. */
  hasFailed = false;
  /** Set once the session can no longer be used. */
  lost: Failure | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  readonly page: Page;
  readonly guard: NavigationGuard;
  readonly worlds: FrameWorlds;
  private readonly context: BrowserContext;
  readonly cdp: CDPSession;
  private readonly mainFrame: string;

  private constructor(
    request: SessionRequest,
    parts: { context: BrowserContext; page: Page; cdp: CDPSession; mainFrame: string; credentials: ProxyCredentials },
  ) {
    this.request = request;
    this.context = parts.context;
    this.page = parts.page;
    this.cdp = parts.cdp;
    this.mainFrame = parts.mainFrame;
    this.guard = new NavigationGuard(parts.cdp, parts.mainFrame, parts.credentials);
    this.worlds = new FrameWorlds(parts.context, parts.page, parts.cdp);
  }

  static async open(request: SessionRequest, { browser, proxy, credentials }: SessionParts): Promise<PageSession> {
    const opening = browser.newContext({
      proxy: { server: proxy, ...credentials },
      locale: request.locale,
      acceptDownloads: false,
      serviceWorkers: 'block',
      viewport: { width: 1280, height: 900 },
    });
    const late = failure('browser.timeout', 'The browser did not open a session in time.', {
      retry: { kind: 'backoff' },
    });
    const context = await withDeadline(opening, OPEN_TIMEOUT_MS, late);
    try {
      return await withDeadline(PageSession.prepare(request, context, credentials), OPEN_TIMEOUT_MS, late);
    } catch (error) {
      void context.close().catch(() => undefined);
      throw error;
    }
  }

  private static async prepare(
    request: SessionRequest,
    context: BrowserContext,
    credentials: ProxyCredentials,
  ): Promise<PageSession> {
    await context.addInitScript({ content: SHADOW_SCRIPT });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const { frameTree } = (await cdp.send('Page.getFrameTree')) as {
      frameTree: { frame: { id: string; loaderId: string } };
    };
    const session = new PageSession(request, { context, page, cdp, mainFrame: frameTree.frame.id, credentials });
    session.generation = frameTree.frame.loaderId;
    session.listen();
    await cdp.send('Page.enable');
    await session.worlds.start();
    await session.guard.start();
    return session;
  }

  private listen(): void {
    this.cdp.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.generation = frame.loaderId;
      this.note({ kind: 'navigation', url: frame.url.slice(0, 2000) });
    });
    this.cdp.on('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId === this.mainFrame) this.routes += 1;
    });
    this.cdp.on('Page.windowOpen', ({ url }) => {
      this.note({ kind: 'popup', url: url.slice(0, 2000), answer: 'closed' });
    });
    this.listenToPage();
  }

  private listenToPage(): void {
    this.page.on('dialog', (dialog) => {
      const isLeaving = dialog.type() === 'beforeunload';
      const answer = isLeaving ? dialog.accept() : dialog.dismiss();
      answer.catch(() => undefined);
      const type = dialog.type();
      const message = dialog.message().slice(0, 500);
      this.note({ kind: 'dialog', type, message, answer: isLeaving ? 'accepted' : 'dismissed' });
    });
    this.page.on('download', (download) => {
      const url = download.url().slice(0, 2000);
      this.note({ kind: 'download', url, name: download.suggestedFilename().slice(0, 200), answer: 'refused' });
      download.cancel().catch(() => undefined);
    });
    this.context.on('page', (opened) => {
      if (opened !== this.page) opened.close().catch(() => undefined);
    });
    this.page.on('crash', () =>
      this.lose(failure('browser.crashed', 'The page crashed.', { retry: { kind: 'backoff' } })),
    );
    this.context.on('close', () => {
      this.lost ??= failure('browser.crashed', 'The browser went away while the session was open.', {
        retry: { kind: 'backoff' },
      });
    });
  }

  note(event: ActionEvent): void {
    this.events.push(event);
    if (this.events.length > MAX_EVENTS) this.events.shift();
  }

  /** How many closed shadow trees the documents of the page have made; nobody but their makers can read them. */
  async closedShadows(): Promise<number> {
    const counting = this.page.evaluate<unknown>('globalThis.__yunsouClosedShadows');
    const count = await counting.catch(() => 0);
    return typeof count === 'number' ? count : 0;
  }

  takeScreenshot(quality: number): Promise<{ data: string }> {
    return this.cdp.send('Page.captureScreenshot', { format: 'jpeg', quality, optimizeForSpeed: true });
  }

  /** Ends the session for good, and the page with it: a hanging page can be ended in no other way. */
  lose(reason: Failure): void {
    this.lost ??= reason;
    void this.context.close().catch(() => undefined);
  }

  /** Runs one call after those before it (PS1); a lost session refuses all. */
  serial<T>(work: () => Promise<T>): Promise<T> {
    const next = this.queue.then(() => {
      if (this.lost !== undefined) throw new PlatformError(this.lost);
      return work();
    });
    this.queue = next.catch(() => undefined);
    return next;
  }

  /** A call into the page under its own watchdog (PS3). */
  async within<T>(work: Promise<T>, ms: number, what: string, signal?: AbortSignal): Promise<T> {
    const late = failure('browser.timeout', `The page did not answer in ${Math.round(ms / 1000)} s (${what}).`);
    try {
      return await withDeadline(work, ms, late, signal);
    } catch (error) {
      if (error instanceof PlatformError && error.failure.code === 'browser.timeout') this.lose(error.failure);
      if (this.lost !== undefined && !(error instanceof PlatformError))
        throw new PlatformError(this.lost, { cause: error });
      throw error;
    }
  }

  /** Asks for the document that is there now; the event that tells of it may still be on its way. */
  async syncGeneration(signal: AbortSignal): Promise<void> {
    const { frameTree } = await this.within(
      this.cdp.send('Page.getFrameTree'),
      QUESTION_TIMEOUT_MS,
      'asking for its document',
      signal,
    );
    this.generation = frameTree.frame.loaderId;
  }

  requireGeneration(generation: string): void {
    if (generation !== this.generation) {
      fail(
        'browser.not_dispatched',
        'The page has moved on to another document since it was observed; observe it again.',
      );
    }
  }

  async close(): Promise<void> {
    this.lost ??= failure('effect.aborted', 'The session was closed.');
    const late = failure('browser.timeout', 'The session did not close in time.');
    await withDeadline(this.context.close(), CLOSE_TIMEOUT_MS, late).catch(() => undefined);
  }
}
