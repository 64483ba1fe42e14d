/** BR-01, one of six things that have to be right before the browser is used. */
export type HealthCheck = {
  readonly name: 'engine' | 'process' | 'resources' | 'clock' | 'egress' | 'storage';
  readonly ok: boolean;
  readonly detail: string;
};

export type BrowserHealth = {
  readonly ok: boolean;
  readonly engine: string;
  readonly version: string;
  readonly executable: string;
  readonly startedMs: number;
  readonly sessions: number;
  /** Whether Chromium confines its pages itself, which it refuses to do for root; `null` while none could be started. */
  readonly isSandboxed: boolean | null;
  readonly checks: readonly HealthCheck[];
  readonly problem?: string;
};
