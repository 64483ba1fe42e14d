import type { Language } from '#contracts/ids.ts';
import type { ActorClient } from '#contracts/ports/actor-client.ts';
import type { BlobStore } from '#contracts/ports/blob-store.ts';
import type { Clock, Randomness } from '#contracts/ports/clock.ts';
import type { EventStreams } from '#contracts/ports/event-streams.ts';
import type { Inspection } from '#contracts/ports/inspection.ts';
import type { LibraryPort } from '#contracts/ports/library.ts';
import type { ModelAdministration } from '#contracts/ports/model-administration.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type {
  ArtifactReads,
  ConversationReads,
  LedgerReads,
  OperationReads,
  ResearchReads,
  TaskReads,
} from '#contracts/ports/reads.ts';
import type { ViewerAdmission, ViewerLink, ViewerReads } from '#contracts/ports/viewer.ts';
import type { Ready } from '#contracts/http/system.ts';
import type * as z from 'zod';

export type GatewayReads = {
  readonly conversations: ConversationReads;
  readonly tasks: TaskReads;
  readonly research: ResearchReads;
  readonly artifacts: ArtifactReads;
  readonly operations: OperationReads;
  readonly ledger: LedgerReads;
};

export type AccessSettings = {
  /** Signs session cookies; kept in a private file so that a restart keeps people signed in. At least 32 characters. */
  readonly sessionSecret: string;
  /** Bearer token for scripts; `null` closes that door. */
  readonly apiToken: string | null;
  /** Projects that exist; every other name answers as if it were not there. */
  readonly projects: readonly string[];
  /** Send the cookie over TLS only; for an installation behind an HTTPS proxy. */
  readonly secureCookies?: boolean;
};

/** Everything the gateway needs from the outside: ports and settings, no actor and no table. */
export type GatewayDependencies = {
  readonly client: ActorClient;
  readonly streams: EventStreams;
  readonly reads: GatewayReads;
  readonly inspection: Inspection;
  readonly blobs: BlobStore;
  readonly library: LibraryPort;
  readonly models: ModelAdministration;
  readonly viewer: ViewerReads & ViewerAdmission;
  readonly viewerLink: ViewerLink;
  ready(): Promise<z.infer<typeof Ready>>;
  /** Prometheus text format. */
  metrics(): Promise<string>;
  readonly access: AccessSettings;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly version: string;
  /** What writes answers, e.g. `extractive`. */
  readonly engine: string;
  readonly language: Language;
  /** The built client: `index.html` and `assets/`. */
  readonly staticDir: string;
  /** Help pages: `<language>/<page>.html`, `style.css`. */
  readonly helpDir: string;
  /** Origins beside the own one, e.g. `https://research.example.org` of a proxy. Their hosts are accepted as Host too. */
  readonly allowedOrigins: readonly string[];
  /** How long a request waits for the commit of its message. */
  readonly askTimeoutMs?: number;
  /** Check every answer against its schema and fail loudly; for tests and development. */
  readonly checkAnswers?: boolean;
};

export const DEFAULT_ASK_TIMEOUT_MS = 10_000;
