// What browser sessions show, for looking on
//
// Stands where the browser is, whichever process that is; who looks on is elsewhere and meets it in the store.
// Owns:     which sessions are shown, when a picture is taken of them, how many are kept.
// Owns not: the picture and whether there may be one (browser), who may see it (gateway).
//
//   VF1  A picture is taken after each action and when somebody wants one, never two at a time, at least 500 ms apart.
//   VF2  Looking on costs the work nothing but time within bounds: a failing store or picture is logged, never thrown,
//        and closing waits at most a second for a picture under way.
//   VF3  Addresses are kept without query, fragment and user: those may carry secrets.

import type { PageObservation } from '#contracts/browser/observation.ts';
import type {
  BrowserAction,
  BrowserHealth,
  BrowserPort,
  CapturedFrame,
  NavigateResult,
  ReadResult,
  SessionRequest,
} from '#contracts/ports/browser.ts';
import type { Bus } from '#contracts/ports/bus.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { NewFrame, OpenedSession, ViewerFeedStore } from '#contracts/ports/viewer.ts';

export const WANT_SUBJECT = 'viewer.want';

const BEAT_MS = 3_000;
const APART_MS = 500;
const CLOSING_MS = 1_000;
const KEPT_FRAMES = 30;
/** A larger picture is none: with the number of frames it bounds what a session keeps. */
const MAX_BYTES = 1_000_000;
const MAX_WORDS = 500;
const KEPT_MS = 3 * 86_400_000;
const TRIM_MS = 3_600_000;

export type ViewerFeedParts = {
  readonly browser: BrowserPort;
  readonly store: ViewerFeedStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
};

type Shown = OpenedSession & { lastMs: number; isAsked: boolean; underWay: Promise<void> | null; cancel: () => void };

/** The browser, with a picture of what it does. */
export class ViewerFeed implements BrowserPort {
  readonly #parts: ViewerFeedParts;
  readonly #browser: BrowserPort;
  readonly #shown = new Map<string, Shown>();
  readonly #unsubscribe: () => void;
  #cancelBeat = (): void => undefined;
  #trimmedMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(parts: ViewerFeedParts) {
    this.#parts = parts;
    this.#browser = parts.browser;
    this.#unsubscribe = parts.bus.subscribe(`${WANT_SUBJECT}.*`, (_payload, subject) =>
      this.#ask(subject.slice(WANT_SUBJECT.length + 1)),
    );
    this.#beatLater();
  }

  health(): Promise<BrowserHealth> {
    return this.#browser.health();
  }

  async openSession(request: SessionRequest, signal: AbortSignal): Promise<void> {
    const { sessionId, project, taskId, owner } = request;
    await this.#browser.openSession(request, signal);
    const opened = { sessionId, project, taskId, owner };
    const state = { lastMs: Number.NEGATIVE_INFINITY, isAsked: false, underWay: null, cancel: () => undefined };
    this.#shown.set(sessionId, { ...opened, ...state });
    await this.#quietly(() => this.#parts.store.openSession(opened));
  }

  navigate(sessionId: string, action: Navigation, signal: AbortSignal): Promise<NavigateResult> {
    return this.#browser.navigate(sessionId, action, signal).finally(() => this.#ask(sessionId));
  }

  read(sessionId: string, action: Reading, signal: AbortSignal): Promise<ReadResult> {
    return this.#browser.read(sessionId, action, signal).finally(() => this.#ask(sessionId));
  }

  screenshot(sessionId: string, action: Picture, signal: AbortSignal): Promise<Uint8Array> {
    return this.#browser.screenshot(sessionId, action, signal);
  }

  observe(sessionId: string, signal: AbortSignal): Promise<PageObservation> {
    return this.#browser.observe(sessionId, signal);
  }

  captureFrame(sessionId: string): Promise<CapturedFrame | null> {
    return this.#browser.captureFrame(sessionId);
  }

  async closeSession(sessionId: string): Promise<void> {
    await this.#leave(sessionId);
    await this.#browser.closeSession(sessionId);
  }

  async closeTask(taskId: string): Promise<void> {
    // A stop does not wait for pictures.
    const ofTask = [...this.#shown.values()].filter((session) => session.taskId === taskId);
    const closed = this.#browser.closeTask(taskId);
    await Promise.all([closed, ...ofTask.map((session) => this.#end(session))]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#cancelBeat();
    await Promise.all([...this.#shown.keys()].map((sessionId) => this.#leave(sessionId)));
    await this.#browser.stop();
  }

  async #leave(sessionId: string): Promise<void> {
    const session = this.#shown.get(sessionId);
    if (session === undefined) return;
    if (session.underWay !== null) await this.#atMost(CLOSING_MS, session.underWay);
    await this.#end(session);
  }

  #end(session: Shown): Promise<void> {
    session.cancel();
    this.#shown.delete(session.sessionId);
    return this.#quietly(() => this.#parts.store.endSession(session));
  }

  #ask(sessionId: string): void {
    const session = this.#shown.get(sessionId);
    if (session === undefined || session.isAsked) return;
    session.isAsked = true;
    if (session.underWay === null) this.#captureLater(session);
  }

  #captureLater(session: Shown): void {
    const waitMs = session.lastMs + APART_MS - this.#parts.clock.nowMs();
    if (waitMs <= 0) this.#capture(session);
    else session.cancel = this.#parts.clock.after(waitMs, () => this.#capture(session));
  }

  #capture(session: Shown): void {
    session.cancel();
    session.isAsked = false;
    session.lastMs = this.#parts.clock.nowMs();
    session.underWay = this.#quietly(() => this.#keepPicture(session)).then(() => {
      session.underWay = null;
      if (session.isAsked && this.#shown.get(session.sessionId) === session) this.#captureLater(session);
    });
  }

  async #keepPicture(session: Shown): Promise<void> {
    const captured = await this.#browser.captureFrame(session.sessionId);
    if (captured === null || this.#shown.get(session.sessionId) !== session) return;
    const ageMs = Math.max(0, this.#parts.clock.nowMs() - captured.capturedAtMs);
    await this.#parts.store.addFrame(session, frameOf(captured, ageMs), KEPT_FRAMES);
  }

  #beatLater(): void {
    this.#cancelBeat = this.#parts.clock.after(BEAT_MS, () => {
      void this.#quietly(() => this.#beat()).finally(() => (this.#isStopped ? undefined : this.#beatLater()));
    });
  }

  async #beat(): Promise<void> {
    if (this.#shown.size > 0) await this.#parts.store.beat([...this.#shown.values()]);
    const nowMs = this.#parts.clock.nowMs();
    if (nowMs - this.#trimmedMs < TRIM_MS) return;
    this.#trimmedMs = nowMs;
    await this.#parts.store.trim(KEPT_MS);
  }

  #atMost(ms: number, work: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(ms, resolve);
      void work.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #quietly(work: () => Promise<void>): Promise<void> {
    return work().catch((cause: unknown) => {
      this.#parts.logger.warn('a browser session cannot be shown', { cause: String(cause) });
    });
  }
}

type Navigation = BrowserAction & { kind: 'navigate' };
type Reading = BrowserAction & { kind: 'read' };
type Picture = BrowserAction & { kind: 'screenshot' };

function frameOf(captured: CapturedFrame, ageMs: number): NewFrame {
  const { documentGeneration, capturedAtMs } = captured;
  const nothing = { withheld: null, url: '', title: '', width: 0, height: 0, bytes: null };
  const shared = { ...nothing, documentGeneration, capturedAtMs, ageMs };
  if (captured.kind === 'withheld') return { ...shared, withheld: captured.reason };
  const { width, height, bytes } = captured;
  if (bytes.length > MAX_BYTES) return { ...shared, withheld: 'unanswered' };
  const words = { url: plainAddress(captured.url), title: captured.title.slice(0, MAX_WORDS) };
  return { ...shared, ...words, width, height, bytes };
}

function plainAddress(address: string): string {
  if (!URL.canParse(address)) return '';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`.slice(0, MAX_WORDS);
}
