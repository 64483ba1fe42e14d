import type { ReadPage } from '../research/page.ts';

export type BrowserHealth = {
  readonly ok: boolean;
  readonly engine: string;
  readonly version: string;
  readonly executable: string;
  readonly startedMs: number;
  readonly sessions: number;
  readonly problem?: string;
};

/** BR-04, the read-only part. `act` is serial per session. */
export type BrowserAction =
  | { readonly kind: 'navigate'; readonly actionId: string; readonly url: string }
  | { readonly kind: 'read'; readonly actionId: string; readonly documentGeneration: string }
  | { readonly kind: 'screenshot'; readonly actionId: string; readonly documentGeneration: string };

export type Observation = {
  readonly observationId: string;
  /** Changes with every new document (CDP loaderId); handles and reads of an older generation are refused. */
  readonly documentGeneration: string;
  readonly finalUrl: string;
  readonly title: string;
  readonly httpStatus: number | null;
  readonly contentType: string;
};

/**
 * `confirmed`: it happened and was verified. `not_dispatched`: nothing left us, it may be tried again.
 * `unknown`: it may have happened; reconcile by observing, never repeat it blindly.
 */
export type ActionOutcome = 'confirmed' | 'not_dispatched' | 'unknown';

export type NavigateResult = { readonly outcome: ActionOutcome; readonly observation: Observation };
export type ReadResult = {
  readonly outcome: ActionOutcome;
  readonly observation: Observation;
  readonly page: ReadPage;
  readonly retrievedAtMs: number;
};

export type SessionRequest = {
  readonly sessionId: string;
  readonly project: string;
  readonly taskId: string;
  /** Work item address; one context is never shared between owners. */
  readonly owner: string;
  readonly locale: string;
};

/**
 * One browser, many contexts. Every call has its own deadline besides `signal`.
 * Throws PlatformError: `browser.unavailable`, `browser.navigation_failed`, `browser.timeout`, `browser.crashed`,
 * `browser.egress_refused`, `browser.not_dispatched`, `page.blocked`, `page.empty`, `page.unreadable`, `page.too_large`, `effect.aborted`.
 */
export interface BrowserPort {
  health(): Promise<BrowserHealth>;
  openSession(request: SessionRequest, signal: AbortSignal): Promise<void>;
  navigate(
    sessionId: string,
    action: BrowserAction & { kind: 'navigate' },
    signal: AbortSignal,
  ): Promise<NavigateResult>;
  read(sessionId: string, action: BrowserAction & { kind: 'read' }, signal: AbortSignal): Promise<ReadResult>;
  screenshot(
    sessionId: string,
    action: BrowserAction & { kind: 'screenshot' },
    signal: AbortSignal,
  ): Promise<Uint8Array>;
  /** Idempotent; also for sessions that never opened. */
  closeSession(sessionId: string): Promise<void>;
  /** Closes every session of the task and aborts what is in flight; idempotent. This is what makes a stop real. */
  closeTask(taskId: string): Promise<void>;
  stop(): Promise<void>;
}
