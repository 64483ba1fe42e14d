import type { BlobStore } from '#contracts/ports/blob-store.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { ActorHost } from '#runtime/host/actor-host.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import type { Models } from './models.ts';
import type { ResearchParts } from './research-parts.ts';
import type { Wire } from './wire.ts';

/** What a process of the product has, whatever its roles. */
export type ProcessParts = {
  readonly config: Config;
  readonly database: Database;
  readonly wire: Wire;
  readonly research: ResearchParts;
  readonly blobs: BlobStore;
  readonly models: Models;
  readonly host: ActorHost;
  readonly logger: Logger;
};
