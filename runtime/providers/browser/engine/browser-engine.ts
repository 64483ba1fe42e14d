// BrowserEngine
//
// The one Chromium process of this process: started when first needed, closed when long unused.
// Owns:     the browser process, its proxy, its record for the sweep, the idle timer.
// Owns not: sessions (they tell it when they open and close).
//
//   BE1  At most one launch at a time; whoever asks meanwhile gets the same.
//   BE2  A browser that went away is not used again; the next request launches a new one.
//   BE3  After stop() nothing runs and nothing is launched.
import type { Browser } from 'playwright';
import { fail, failure, PlatformError } from '#contracts/errors.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { withDeadline } from '../deadline.ts';
import type { EgressProxy } from '../egress/egress-proxy.ts';
import {
  endBrowserProcess,
  forgetOwner,
  ownBrowserProcesses,
  recordOwner,
  sweepOrphans,
  type BrowserProcess,
} from './browser-process.ts';
import { findChromium, type ChromiumBinary } from './chromium-binary.ts';
import { writeFontConfiguration } from './fonts.ts';
import { launchChromium } from './launch-chromium.ts';

const LAUNCH_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 5000;

export type EngineOptions = {
  readonly folder: string;
  readonly browserPath: string | undefined;
  readonly proxy: EgressProxy;
  readonly idleCloseMs: number;
  readonly logger: Logger;
};

export type RunningEngine = {
  readonly browser: Browser;
  readonly binary: ChromiumBinary;
  readonly startedMs: number;
  readonly processes: readonly BrowserProcess[];
  readonly isSandboxed: boolean;
};

export class BrowserEngine {
  private readonly options: EngineOptions;
  private starting: Promise<RunningEngine> | undefined;
  private proxyAddress: Promise<string> | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private users = 0;
  private isStopped = false;

  constructor(options: EngineOptions) {
    this.options = options;
  }

  /** Starts Chromium unless it runs. Throws `browser.unavailable`. */
  async running(): Promise<RunningEngine> {
    if (this.isStopped) fail('browser.unavailable', 'The browser has been stopped.');
    this.starting ??= this.start();
    const starting = this.starting;
    try {
      const engine = await starting;
      if (engine.browser.isConnected()) return engine;
    } catch (error) {
      if (this.starting === starting) this.starting = undefined;
      throw error;
    }
    if (this.starting === starting) this.starting = undefined;
    return this.running();
  }

  /** Address of the proxy that all sessions use. */
  proxyUrl(): Promise<string> {
    this.proxyAddress ??= this.options.proxy.start();
    return this.proxyAddress;
  }

  acquire(): void {
    this.users += 1;
    clearTimeout(this.idleTimer);
  }

  release(): void {
    this.users -= 1;
    if (this.users > 0 || this.isStopped) return;
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => void this.closeIdle(), this.options.idleCloseMs);
    this.idleTimer.unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.idleTimer);
    await this.close();
    if (this.proxyAddress !== undefined) await this.options.proxy.stop();
  }

  private async closeIdle(): Promise<void> {
    if (this.users > 0) return;
    await this.close();
    this.options.logger.info('browser closed because no session used it');
  }

  private async close(): Promise<void> {
    const starting = this.starting;
    this.starting = undefined;
    if (starting === undefined) return;
    let engine: RunningEngine;
    try {
      engine = await starting;
    } catch {
      return;
    }
    const late = failure('browser.timeout', 'The browser did not close in time.');
    await withDeadline(engine.browser.close(), CLOSE_TIMEOUT_MS, late).catch(() => undefined);
    this.clean(engine.processes);
  }

  private clean(processes: readonly BrowserProcess[]): void {
    for (const process of processes) {
      endBrowserProcess(process);
      forgetOwner(this.options.folder, process);
    }
  }

  private async start(): Promise<RunningEngine> {
    const { folder, browserPath, logger } = this.options;
    const swept = sweepOrphans(folder);
    if (swept > 0) logger.warn('removed browsers that an ended process had left', { swept });
    const binary = await findChromium(folder, browserPath);
    const began = performance.now();
    const before = new Set(ownBrowserProcesses().map(({ pid }) => pid));
    try {
      const { browser, isSandboxed } = await launchChromium({
        binary,
        proxy: await this.proxyUrl(),
        fontConfiguration: writeFontConfiguration(folder),
        timeoutMs: LAUNCH_TIMEOUT_MS,
      });
      const processes = ownBrowserProcesses().filter(({ pid }) => !before.has(pid));
      for (const process of processes) recordOwner(folder, process);
      browser.on('disconnected', () => this.clean(processes));
      const startedMs = Math.round(performance.now() - began);
      const { executable } = binary;
      logger.info('browser started', { executable, version: browser.version(), startedMs, isSandboxed });
      return { browser, binary, startedMs, processes, isSandboxed };
    } catch (cause) {
      if (cause instanceof PlatformError) throw cause;
      const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
      return fail('browser.unavailable', `${binary.executable} could not be started: ${reason}`, {
        cause,
        retry: { kind: 'backoff' },
      });
    }
  }
}
