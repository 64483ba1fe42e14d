import type { Browser } from 'playwright';
import { failure } from '#contracts/errors.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { withDeadline } from '../deadline.ts';
import { endBrowserProcess, forgetOwner, type BrowserProcess } from './browser-process.ts';
import type { ChromiumBinary } from './chromium-binary.ts';
import { descendants, privateBytes, readArguments, readProcesses } from './process-table.ts';
import {
  judgeProcesses,
  NOTHING_SEEN,
  type ProcessSample,
  type WatchLimits,
  type WatchState,
} from './process-watch.ts';

const CLOSE_TIMEOUT_MS = 5000;

export type RunningEngine = {
  readonly browser: Browser;
  readonly binary: ChromiumBinary;
  readonly startedMs: number;
  readonly processes: readonly BrowserProcess[];
  readonly isSandboxed: boolean;
};

/** One Chromium and all of its processes. */
export class RunningBrowser {
  readonly engine: RunningEngine;
  readonly bornMs: number;
  users = 0;
  served = 0;
  private readonly folder: string;
  private readonly renderers = new Map<number, boolean>();
  private watched: WatchState = NOTHING_SEEN;

  constructor(engine: RunningEngine, folder: string, bornMs: number) {
    this.engine = engine;
    this.folder = folder;
    this.bornMs = bornMs;
    engine.browser.on('disconnected', () => this.end());
  }

  get isConnected(): boolean {
    return this.engine.browser.isConnected();
  }

  /** Answers only if the browser process itself does. */
  async probe(): Promise<void> {
    const session = await this.engine.browser.newBrowserCDPSession();
    await session.send('Browser.getVersion');
    await session.detach();
  }

  samples(): ProcessSample[] {
    const rows = readProcesses();
    const ours = this.engine.processes.flatMap(({ pid }) => descendants(pid, rows));
    return ours.map(({ pid, cpuMs }) => ({ pid, cpuMs, bytes: privateBytes(pid), isRenderer: this.isRenderer(pid) }));
  }

  /** One look at all processes; ends pages that went too far. True when the whole browser has become too large. */
  watch(limits: WatchLimits, logger: Logger): boolean {
    const { state, isTooLarge, end } = judgeProcesses(
      this.watched,
      { atMs: performance.now(), samples: this.samples() },
      limits,
    );
    this.watched = state;
    for (const { pid, reason } of end) {
      logger.warn('a page was ended', { reason, pid });
      kill(pid);
    }
    return isTooLarge;
  }

  async close(): Promise<void> {
    const late = failure('browser.timeout', 'The browser did not close in time.');
    await withDeadline(this.engine.browser.close(), CLOSE_TIMEOUT_MS, late).catch(() => undefined);
    this.end();
  }

  /** Ends all processes at once; sessions learn it from the broken connection. */
  end(): void {
    for (const process of this.engine.processes) {
      endBrowserProcess(process);
      forgetOwner(this.folder, process);
    }
  }

  private isRenderer(pid: number): boolean {
    const known = this.renderers.get(pid);
    if (known !== undefined) return known;
    const isRenderer = readArguments(pid).some((argument) => argument.trim() === '--type=renderer');
    this.renderers.set(pid, isRenderer);
    return isRenderer;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}
