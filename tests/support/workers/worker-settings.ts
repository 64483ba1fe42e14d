import type { HostStats } from '#runtime/host/actor-host.ts';
import type { HostLimits } from '#runtime/host/limits.ts';
import type { DatabaseConnection } from '#persistence/connection.ts';

/** Handed to the process as JSON in this variable. */
export const WORKER_VARIABLE = 'YUNSOU_TEST_WORKER';

export type WorkerSettings = {
  readonly workerId: string;
  readonly connection: DatabaseConnection;
  /** `null`: hints stay inside the process. */
  readonly nats: { readonly url: string; readonly prefix: string } | null;
  readonly farEndUrl: string;
  readonly limits: Partial<HostLimits>;
};

/** A call of the store around which the process stops itself. */
export type StopPoint = 'before commit' | 'before dispatchEffect' | 'after dispatchEffect' | 'before completeEffect';

export type Order =
  | { readonly verb: 'stats' }
  /** Nothing else runs in the process for so long. */
  | { readonly verb: 'block'; readonly ms: number }
  /** SIGSTOP, the next time the store is called so. */
  | { readonly verb: 'stop at'; readonly point: StopPoint };

export type WorkerStats = HostStats & {
  /** What the store answered, e.g. `commit lost_lease`. */
  readonly answers: Readonly<Record<string, number>>;
  readonly heapBytes: number;
};
