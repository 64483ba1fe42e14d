// Browser sessions whose work has ended
//
// The task that stops, and the actor that owns a session, may run in another process than the browser.
// Owns:     which sessions are open here, and looking after them.
// Owns not: the sessions (browser), who ended and why (actors).
//
//   BS1  A stop that is heard closes the sessions of the task at once.
//   BS2  When it is not heard, the next look finds that the actor of a session has ended or that its fence moved.

import type { PageObservation } from '#contracts/browser/observation.ts';
import type { ActorStore } from '#contracts/ports/actor-store.ts';
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

const SUBJECT = 'browser.close';
const LOOK_MS = 2000;

/** For a process without a browser: those that have one are told. */
export function createDistantSessions(bus: Bus): Pick<BrowserPort, 'closeTask'> {
  return {
    closeTask: (taskId) => {
      bus.publish(SUBJECT, taskId);
      return Promise.resolve();
    },
  };
}

export type SessionKeeperParts = {
  readonly browser: BrowserPort;
  readonly store: Pick<ActorStore, 'loadActors' | 'readFence'>;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
};

type Session = { readonly project: string; readonly address: string; readonly taskId: string };

/** The browser, looked after. */
export class SessionKeeper implements BrowserPort {
  readonly #parts: SessionKeeperParts;
  readonly #browser: BrowserPort;
  readonly #open = new Map<string, Session>();
  readonly #unsubscribe: () => void;
  #cancel = (): void => undefined;
  #isStopped = false;

  constructor(parts: SessionKeeperParts) {
    this.#parts = parts;
    this.#browser = parts.browser;
    this.#unsubscribe = parts.bus.subscribe(SUBJECT, (taskId) => void this.closeTask(taskId).catch(this.#failed));
    this.#lookLater();
  }

  health(): Promise<BrowserHealth> {
    return this.#browser.health();
  }

  openSession(request: SessionRequest, signal: AbortSignal): Promise<void> {
    const { sessionId, project, taskId } = request;
    this.#open.set(sessionId, { project, taskId, address: `browser-context/${sessionId}` });
    return this.#browser.openSession(request, signal);
  }

  navigate(sessionId: string, action: Navigation, signal: AbortSignal): Promise<NavigateResult> {
    return this.#browser.navigate(sessionId, action, signal);
  }

  read(sessionId: string, action: Reading, signal: AbortSignal): Promise<ReadResult> {
    return this.#browser.read(sessionId, action, signal);
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

  closeSession(sessionId: string): Promise<void> {
    this.#open.delete(sessionId);
    return this.#browser.closeSession(sessionId);
  }

  closeTask(taskId: string): Promise<void> {
    for (const [id, session] of this.#open) if (session.taskId === taskId) this.#open.delete(id);
    return this.#browser.closeTask(taskId);
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#cancel();
    return this.#browser.stop();
  }

  readonly #failed = (cause: unknown): void => {
    this.#parts.logger.warn('looking after sessions failed', { cause: String(cause) });
  };

  #lookLater(): void {
    this.#cancel = this.#parts.clock.after(LOOK_MS, () => {
      void this.#look()
        .catch(this.#failed)
        .finally(() => (this.#isStopped ? undefined : this.#lookLater()));
    });
  }

  async #look(): Promise<void> {
    for (const [sessionId, session] of this.#open) {
      if (this.#isStopped || !(await hasEnded(this.#parts.store, session))) continue;
      this.#parts.logger.info('session of ended work closed', { sessionId });
      await this.closeSession(sessionId);
    }
  }
}

type Navigation = BrowserAction & { kind: 'navigate' };
type Reading = BrowserAction & { kind: 'read' };
type Picture = BrowserAction & { kind: 'screenshot' };

async function hasEnded(store: SessionKeeperParts['store'], { project, address }: Session): Promise<boolean> {
  const [actor] = await store.loadActors(project, [address]);
  if (actor === undefined) return false;
  const { status, fence } = actor.row;
  if (status !== 'active' || fence === null) return status !== 'active';
  const stored = await store.readFence(fence.scope);
  return stored !== null && !(stored.open && stored.generation === fence.generation);
}
