// BrowserEngine
//
// The Chromium of this process: started when first needed, exchanged when used up, closed when long unused.
// Owns:     browser processes, their proxy, their records for the sweep, the idle timer, the watch over their processes.
// Owns not: sessions (each holds a lease), what a page is doing.
//
//   BE1  At most one launch at a time; whoever asks meanwhile gets the same.
//   BE2  A browser that went away is not used again; the next request launches a new one.
//   BE3  After stop() nothing runs and nothing is launched.
//   BE4  A browser that is too old, has served enough sessions or takes too much memory gets no new one; it goes with its last.
//   BE5  A page that takes too much memory or never lets go of the processor is ended; sessions beside it go on.
//   BE6  A browser that does not answer is ended with all that it started.
import { fail, failure, PlatformError } from '#contracts/errors.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { withDeadline } from '../deadline.ts';
import type { EgressProxy } from '../egress/egress-proxy.ts';
import { ownBrowserProcesses, recordLaunch, recordOwner, sweepOrphans } from './browser-process.ts';
import { findChromium } from './chromium-binary.ts';
import { writeFontConfiguration } from './fonts.ts';
import { launchChromium } from './launch-chromium.ts';
import { RunningBrowser, type RunningEngine } from './running-browser.ts';

export type { RunningEngine } from './running-browser.ts';

const LAUNCH_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 5000;
const LOOK_MS = 5000;

export type RecyclingLimits = {
  readonly maxAgeMs: number;
  readonly maxSessions: number;
  readonly engineBytes: number;
  readonly rendererBytes: number;
  /** A page may keep a core busy for so long. */
  readonly busyMs: number;
};

export type EngineOptions = {
  readonly folder: string;
  readonly browserPath: string | undefined;
  readonly proxy: EgressProxy;
  readonly idleCloseMs: number;
  readonly limits: RecyclingLimits;
  readonly logger: Logger;
  readonly nowMs: () => number;
};

/** Use of one browser by one session. */
export type EngineLease = RunningEngine & {
  readonly proxyUrl: string;
  /** Something did not come back: is it the page or the whole browser? */
  readonly suspect: () => Promise<void>;
  readonly release: () => void;
};

export class BrowserEngine {
  private readonly options: EngineOptions;
  private current: Promise<RunningBrowser> | undefined;
  private readonly retiring = new Set<RunningBrowser>();
  private proxyAddress: Promise<string> | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private lookTimer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(options: EngineOptions) {
    this.options = options;
  }

  /** A browser for one session; starts one unless there is one. Throws `browser.unavailable`. */
  async lease(): Promise<EngineLease> {
    clearTimeout(this.idleTimer);
    const running = await this.fitting();
    running.users += 1;
    running.served += 1;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      running.users -= 1;
      this.afterUse(running);
    };
    try {
      return { ...running.engine, proxyUrl: await this.proxyUrl(), suspect: () => this.suspect(running), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Looks after the processes now; also done by itself while a browser runs. */
  look(): void {
    const { limits, logger } = this.options;
    for (const running of this.retiring) running.watch(limits, logger);
    void this.current?.then((running) => {
      if (!running.watch(limits, logger) && this.isUsedUp(running) === undefined) return;
      this.retire(running, this.isUsedUp(running) ?? 'memory');
    }, ignore);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.idleTimer);
    clearTimeout(this.lookTimer);
    const last = await this.current?.catch(ignore);
    this.current = undefined;
    await Promise.all([...this.retiring, ...(last === undefined ? [] : [last])].map((running) => running.close()));
    this.retiring.clear();
    if (this.proxyAddress !== undefined) await this.options.proxy.stop();
  }

  private async fitting(): Promise<RunningBrowser> {
    if (this.isStopped) fail('browser.unavailable', 'The browser has been stopped.');
    this.current ??= this.start();
    const current = this.current;
    let running: RunningBrowser;
    try {
      running = await current;
    } catch (error) {
      if (this.current === current) this.current = undefined;
      throw error;
    }
    const reason = running.isConnected ? this.isUsedUp(running) : 'gone';
    if (reason === undefined) return running;
    if (this.current === current) this.retire(running, reason);
    return this.fitting();
  }

  private isUsedUp(running: RunningBrowser): 'age' | 'sessions' | undefined {
    const { limits, nowMs } = this.options;
    if (nowMs() - running.bornMs >= limits.maxAgeMs) return 'age';
    return running.served >= limits.maxSessions ? 'sessions' : undefined;
  }

  /** BE4: no new session for it; those that are open go on to their end. */
  private retire(running: RunningBrowser, reason: string): void {
    if (this.retiring.has(running)) return;
    this.current = undefined;
    if (!running.isConnected) return;
    this.options.logger.info('browser is exchanged', { reason, users: running.users, served: running.served });
    this.retiring.add(running);
    this.afterUse(running);
  }

  private afterUse(running: RunningBrowser): void {
    if (running.users > 0 || this.isStopped) return;
    if (this.retiring.delete(running)) {
      void running.close();
      return;
    }
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => void this.closeIdle(running), this.options.idleCloseMs);
    this.idleTimer.unref();
  }

  private async closeIdle(running: RunningBrowser): Promise<void> {
    if (running.users > 0 || (await this.current?.catch(ignore)) !== running || running.users > 0) return;
    this.current = undefined;
    await running.close();
    this.options.logger.info('browser closed because no session used it');
  }

  /** BE6 */
  private async suspect(running: RunningBrowser): Promise<void> {
    const late = failure('browser.timeout', 'The browser does not answer.');
    try {
      await withDeadline(running.probe(), PROBE_TIMEOUT_MS, late);
    } catch {
      if ((await this.current?.catch(ignore)) === running) this.current = undefined;
      this.retiring.delete(running);
      this.options.logger.warn('browser ended because it did not answer');
      running.end();
    }
  }

  private proxyUrl(): Promise<string> {
    this.proxyAddress ??= this.options.proxy.start();
    return this.proxyAddress;
  }

  private lookLater(): void {
    clearTimeout(this.lookTimer);
    this.lookTimer = setTimeout(() => {
      this.look();
      if (!this.isStopped && (this.current !== undefined || this.retiring.size > 0)) this.lookLater();
    }, LOOK_MS);
    this.lookTimer.unref();
  }

  private async start(): Promise<RunningBrowser> {
    const { folder, browserPath, logger, nowMs } = this.options;
    const swept = sweepOrphans(folder);
    if (swept > 0) logger.warn('removed browsers that an ended process had left', { swept });
    const binary = await findChromium(folder, browserPath);
    const began = performance.now();
    const before = new Set(ownBrowserProcesses().map(({ pid }) => pid));
    const forgetLaunch = recordLaunch(folder, Date.now());
    try {
      const proxy = await this.proxyUrl();
      const fontConfiguration = writeFontConfiguration(folder);
      const launched = await launchChromium({ binary, proxy, fontConfiguration, timeoutMs: LAUNCH_TIMEOUT_MS });
      const processes = ownBrowserProcesses().filter(({ pid }) => !before.has(pid));
      for (const process of processes) recordOwner(folder, process);
      const startedMs = Math.round(performance.now() - began);
      const engine = { ...launched, binary, startedMs, processes };
      const running = new RunningBrowser(engine, folder, nowMs());
      const { executable } = binary;
      const version = launched.browser.version();
      logger.info('browser started', { executable, version, startedMs, isSandboxed: launched.isSandboxed });
      this.lookLater();
      return running;
    } catch (cause) {
      if (cause instanceof PlatformError) throw cause;
      const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
      return fail('browser.unavailable', `${binary.executable} could not be started: ${reason}`, {
        cause,
        retry: { kind: 'backoff' },
      });
    } finally {
      forgetLaunch();
    }
  }
}

function ignore(): undefined {
  return undefined;
}
