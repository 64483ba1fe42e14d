import type { ActionOutcome } from '../browser/action.ts';
import type { PageObservation } from '../browser/observation.ts';
import type { ReadPage } from '../research/page.ts';
import type { RobotsNote } from '../research/robots.ts';
import type { BrowserHealth } from './browser-health.ts';

export type { BrowserHealth } from './browser-health.ts';

/** BR-04, the read-only part. Calls are serial per session. */
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

export type NavigateResult = { readonly outcome: ActionOutcome; readonly observation: Observation };
export type ReadResult = {
  /** What robots.txt said about the page, where the policy records it. */
  readonly robots: RobotsNote | null;
  readonly outcome: ActionOutcome;
  readonly observation: Observation;
  readonly page: ReadPage;
  readonly retrievedAtMs: number;
};

/** VW-04: a page with anything secret on it gives no picture at all. */
export type WithheldReason = 'password' | 'payment' | 'one_time_code' | 'moving' | 'unanswered' | 'no_page';

/** One picture of what a session shows, for looking at it; taken beside its actions, without touching the page. */
export type CapturedFrame =
  | {
      readonly kind: 'frame';
      readonly sessionId: string;
      readonly documentGeneration: string;
      readonly capturedAtMs: number;
      readonly url: string;
      readonly title: string;
      readonly mediaType: 'image/jpeg';
      readonly width: number;
      readonly height: number;
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: 'withheld';
      readonly sessionId: string;
      readonly documentGeneration: string;
      readonly capturedAtMs: number;
      readonly reason: WithheldReason;
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
  /** What the page offers now. Handles of earlier observations are refused from then on. */
  observe(sessionId: string, signal: AbortSignal): Promise<PageObservation>;
  /** `null`: no such session is open here. It waits for no action and disturbs none. */
  captureFrame(sessionId: string): Promise<CapturedFrame | null>;
  /** Idempotent; also for sessions that never opened. */
  closeSession(sessionId: string): Promise<void>;
  /** Closes every session of the task and aborts what is in flight; idempotent. This is what makes a stop real. */
  closeTask(taskId: string): Promise<void>;
  stop(): Promise<void>;
}
