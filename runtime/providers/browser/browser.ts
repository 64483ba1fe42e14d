// Browser
//
// BrowserPort over one Chromium: many contexts, one for each session, all behind the egress proxy.
// Owns:     the table of sessions, health, the order of shutting down.
// Owns not: Chromium's life (engine), a page's state (page/), where connections may go (egress/).
//
//   BR1  Nothing is started before the first session or health check.
//   BR2  A session is open for one owner; the same id by another owner is refused.
//   BR3  A session that was lost says why on its next call, and only then is forgotten by closeSession.
//   BR4  A refusal of the proxy is `browser.egress_refused`, never content.
//   BR5  No session opens before one look at everything has found all in order.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fail, failure, PlatformError, toFailure } from '#contracts/errors.ts';
import type {
  BrowserAction,
  BrowserHealth,
  BrowserPort,
  CapturedFrame,
  NavigateResult,
  Observation,
  ReadResult,
  SessionRequest,
} from '#contracts/ports/browser.ts';
import type { PageObservation } from '#contracts/browser/observation.ts';
import type { ReaderPort } from '#contracts/ports/reader.ts';
import type { RobotsPolicy } from '#contracts/research/robots.ts';
import { EgressProxy } from './egress/egress-proxy.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { InternalSite } from './egress/internal-site.ts';
import { resolveByDns, type Resolve } from './egress/judge.ts';
import { BrowserEngine, type EngineLease, type RecyclingLimits } from './engine/browser-engine.ts';
import { checkHealth } from './engine/health.ts';
import { recyclingLimits } from './engine/recycling.ts';
import { captureFrame } from './observation/capture-frame.ts';
import { observePage } from './observation/observe-page.ts';
import { navigatePage } from './page/navigate-page.ts';
import { PageSession, QUESTION_TIMEOUT_MS } from './page/page-session.ts';
import { readPage } from './page/read-page.ts';

export type BrowserOptions = {
  /** Chromium, fonts and records of running browsers go below it. */
  readonly dataDir: string;
  readonly reader: ReaderPort;
  /** Exact host names (`library.yunsou.internal`) answered inside this process, by http on port 80. */
  readonly approvedOrigins: ReadonlyMap<string, InternalSite>;
  readonly logger: Logger;
  readonly browserPath?: string;
  readonly resolve?: Resolve;
  /** Exact `host:port` pairs that may be dialled although their address is not public. */
  readonly approvedDestinations?: ReadonlySet<string>;
  /** What robots.txt counts for; it is ignored unless said otherwise. */
  readonly robotsPolicy?: RobotsPolicy;
  readonly recycling?: Partial<RecyclingLimits>;
  readonly idleCloseMs?: number;
  readonly nowMs?: () => number;
};

const HEALTH_HOST = 'health.yunsou.internal';
const HEALTH_FRESH_MS = 30_000;
const SCREENSHOT_TIMEOUT_MS = 10_000;

type Health = Omit<BrowserHealth, 'sessions'>;

class Browser implements BrowserPort {
  private readonly sessions = new Map<string, PageSession>();
  private readonly opening = new Map<string, { readonly taskId: string; readonly done: Promise<void> }>();
  private readonly options: BrowserOptions;
  private readonly proxy: EgressProxy;
  private readonly engine: BrowserEngine;
  private readonly leases = new Map<string, EngineLease>();
  private readonly folder: string;
  private readonly nonce = randomBytes(16).toString('hex');
  private readonly nowMs: () => number;
  private lastHealth: { at: number; health: Health } | undefined;
  private looking: Promise<Health> | undefined;
  private wasHealthy = false;

  constructor(options: BrowserOptions) {
    this.options = options;
    this.nowMs = options.nowMs ?? (() => Date.now());
    this.folder = join(options.dataDir, 'chromium');
    const health: InternalSite = () =>
      Promise.resolve({
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: `<!doctype html><title>${this.nonce}</title><p>${this.nonce}</p>`,
      });
    this.proxy = new EgressProxy({
      resolve: options.resolve ?? resolveByDns,
      approvedDestinations: options.approvedDestinations ?? new Set(),
      approvedOrigins: new Map([...options.approvedOrigins, [HEALTH_HOST, health]]),
      robotsPolicy: options.robotsPolicy ?? 'ignore',
      nowMs: this.nowMs,
    });
    this.engine = new BrowserEngine({
      folder: this.folder,
      browserPath: options.browserPath,
      proxy: this.proxy,
      idleCloseMs: options.idleCloseMs ?? 60_000,
      limits: { ...recyclingLimits(), ...options.recycling },
      logger: options.logger,
      nowMs: () => performance.now(),
    });
  }

  async health(): Promise<BrowserHealth> {
    const last = this.lastHealth;
    const isFresh = last?.health.ok === true && performance.now() - last.at < HEALTH_FRESH_MS;
    const health = isFresh ? last.health : await this.look();
    return { ...health, sessions: this.sessions.size };
  }

  /** One look at a time; whoever asks meanwhile gets the same. */
  private look(): Promise<Health> {
    this.looking ??= checkHealth({
      engine: this.engine,
      proxy: this.proxy,
      folder: this.folder,
      executable: this.options.browserPath ?? '',
      page: { url: `http://${HEALTH_HOST}/`, word: this.nonce },
      nowMs: () => Date.now(),
    })
      .then((health) => {
        this.lastHealth = { at: performance.now(), health };
        return health;
      })
      .finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** BR5 */
  private async requireHealth(): Promise<void> {
    if (this.wasHealthy) return;
    const health = await this.look();
    if (!health.ok) {
      fail('browser.unavailable', `The browser is not fit for use: ${health.problem ?? ''}`, {
        retry: { kind: 'backoff' },
      });
    }
    this.wasHealthy = true;
  }

  async openSession(request: SessionRequest, signal: AbortSignal): Promise<void> {
    if (signal.aborted) fail('effect.aborted', 'The work was called off.');
    await this.opening.get(request.sessionId)?.done;
    const known = this.sessions.get(request.sessionId);
    if (known !== undefined) {
      const isSame = known.request.owner === request.owner && known.request.project === request.project;
      if (!isSame) fail('request.forbidden', 'The session belongs to another owner.');
      if (known.lost === undefined) return;
      await this.closeSession(request.sessionId);
    }
    const opening = this.open(request);
    this.opening.set(request.sessionId, { taskId: request.taskId, done: opening.catch(() => undefined) });
    try {
      await opening;
    } finally {
      this.opening.delete(request.sessionId);
    }
    if (signal.aborted) {
      await this.closeSession(request.sessionId);
      fail('effect.aborted', 'The work was called off.');
    }
  }

  private async open(request: SessionRequest): Promise<void> {
    const { sessionId } = request;
    let lease: EngineLease | undefined;
    try {
      lease = await this.engine.lease();
      await this.requireHealth();
      const { browser, proxyUrl: proxy } = lease;
      const credentials = this.proxy.openSession(sessionId);
      this.sessions.set(sessionId, await PageSession.open(request, { browser, proxy, credentials }));
      this.leases.set(sessionId, lease);
    } catch (error) {
      this.proxy.closeSession(sessionId);
      if (toFailure(error).code === 'browser.timeout') await lease?.suspect();
      lease?.release();
      if (error instanceof PlatformError) throw error;
      const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
      throw new PlatformError(
        failure('browser.crashed', `The session could not be opened: ${reason}`, { retry: { kind: 'backoff' } }),
        { cause: error },
      );
    }
  }

  async navigate(
    sessionId: string,
    action: BrowserAction & { kind: 'navigate' },
    signal: AbortSignal,
  ): Promise<NavigateResult> {
    const session = this.sessionOf(sessionId);
    return session.serial(async () => {
      const { reader } = this.options;
      await navigatePage(session, { proxy: this.proxy, reader }, action.url, signal);
      return { outcome: 'confirmed', observation: await this.summarise(session, signal) };
    });
  }

  async read(sessionId: string, action: BrowserAction & { kind: 'read' }, signal: AbortSignal): Promise<ReadResult> {
    const session = this.sessionOf(sessionId);
    return session.serial(async () => {
      const page = await readPage(session, this.options.reader, action.documentGeneration, signal);
      const observation = await this.summarise(session, signal);
      return {
        outcome: 'confirmed',
        observation: { ...observation, title: page.title },
        page,
        robots: session.robots,
        retrievedAtMs: this.nowMs(),
      };
    });
  }

  async screenshot(
    sessionId: string,
    action: BrowserAction & { kind: 'screenshot' },
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const session = this.sessionOf(sessionId);
    return session.serial(async () => {
      session.requireGeneration(action.documentGeneration);
      const taking = session.page.screenshot({ type: 'png', timeout: SCREENSHOT_TIMEOUT_MS });
      return session.within(taking, SCREENSHOT_TIMEOUT_MS + 1000, 'taking a picture of it', signal);
    });
  }

  async observe(sessionId: string, signal: AbortSignal): Promise<PageObservation> {
    const session = this.sessionOf(sessionId);
    return session.serial(async () => (await observePage(session, signal)).observation);
  }

  async captureFrame(sessionId: string): Promise<CapturedFrame | null> {
    const session = this.sessions.get(sessionId);
    return session === undefined ? null : captureFrame(session, this.nowMs);
  }

  async closeSession(sessionId: string): Promise<void> {
    await this.opening.get(sessionId)?.done;
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    this.sessions.delete(sessionId);
    await session.close();
    this.proxy.closeSession(sessionId);
    this.leases.get(sessionId)?.release();
    this.leases.delete(sessionId);
  }

  async closeTask(taskId: string): Promise<void> {
    const late = [...this.opening].filter(([, { taskId: owner }]) => owner === taskId).map(([, { done }]) => done);
    const closeAll = async (): Promise<void> => {
      const open = [...this.sessions.values()].filter(({ request }) => request.taskId === taskId);
      await Promise.all(open.map(({ request }) => this.closeSession(request.sessionId)));
    };
    await closeAll();
    // What was still opening when the task ended is closed as soon as it is there.
    await Promise.all(late);
    if (late.length > 0) await closeAll();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map((sessionId) => this.closeSession(sessionId)));
    await this.engine.stop();
  }

  private sessionOf(sessionId: string): PageSession {
    const session = this.sessions.get(sessionId);
    return session ?? fail('browser.not_dispatched', 'No such session is open.');
  }

  private async summarise(session: PageSession, signal: AbortSignal): Promise<Observation> {
    const { raw } = session.guard;
    const title =
      raw === undefined
        ? await session
            .within(session.page.title(), QUESTION_TIMEOUT_MS, 'asking for its title', signal)
            .catch((error: unknown) => this.orEmpty(session, error))
        : '';
    session.observations += 1;
    session.lastTitle = title;
    return {
      observationId: `${session.request.sessionId}:${session.observations}`,
      documentGeneration: session.generation,
      finalUrl: session.page.url(),
      title,
      httpStatus: session.response?.status() ?? null,
      contentType: raw?.contentType ?? session.response?.headers()['content-type'] ?? '',
    };
  }

  private orEmpty(session: PageSession, error: unknown): string {
    if (session.lost !== undefined || error instanceof PlatformError) throw error;
    return '';
  }
}

/** A browser that starts when it is first needed. `stop()` leaves no process and no folder of a running browser behind. */
export function createBrowser(options: BrowserOptions): BrowserPort {
  return new Browser(options);
}
