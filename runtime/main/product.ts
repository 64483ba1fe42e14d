// The product in one process: database, runtime, browser, library, gateway.
//
// Owns:     the order in which parts start and stop, the lock on the data folder (through the database supervisor).
// Owns not: any decision of a part.
//
//   PR1  A failed start leaves nothing running: what was started is stopped again, in reverse order.
//   PR2  `stop` first stops taking requests, then drains the actors, then closes the browser and the database.

import { join } from 'node:path';
import { catalogue, type ActorPorts } from '#actors/catalogue.ts';
import type { BlobStore } from '#contracts/ports/blob-store.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { createGateway } from '#gateway/app.ts';
import type { GatewayDependencies } from '#gateway/dependencies.ts';
import { readOrCreateSecret } from '#gateway/access/secret-file.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { createFileBlobStore } from '#runtime/providers/blob/file-blob-store.ts';
import type { RunningInstance } from './instance-file.ts';
import { apiTokenPath, removeInstance, writeInstance } from './instance-file.ts';
import type { Config } from './config.ts';
import { createProductLogger } from './product-logger.ts';
import { prepareDataFolder } from './data-folder.ts';
import { approveConfigured } from './library-folder.ts';
import { openDatabase, type Database } from './database.ts';
import { openResearch, type ResearchParts } from './research-parts.ts';
import { createReadiness } from './readiness.ts';
import { renderMetrics } from './metrics.ts';
import { systemClock, systemRandomness } from './system-time.ts';
import { openWire, type Wire } from './wire.ts';
import { Stack } from './stack.ts';
import { engineName, helpDir, productVersion, projects } from './facts.ts';

const DAY_MS = 86_400_000;

export type ProductOptions = {
  /** For scripts: no one-time sign-in address, no built client needed. */
  readonly isHeadless: boolean;
  /** Folder of the built client. */
  readonly clientDir?: string;
};

export type Product = {
  readonly url: string;
  /** A path that signs in once, to put behind `url`. */
  signInPath(): string;
  readonly api: RunningInstance;
  readonly host: ActorHost;
  stop(): Promise<void>;
};

/** Throws `config.invalid` or `store.unavailable` with one sentence; then nothing is left running. */
export async function startProduct(config: Config, options: ProductOptions): Promise<Product> {
  const started = new Stack();
  try {
    return await start(config, options, started);
  } catch (thrown) {
    await started.stopAll();
    throw thrown;
  }
}

async function start(config: Config, options: ProductOptions, started: Stack): Promise<Product> {
  const logger = createProductLogger(config);
  await prepareDataFolder(config.dataDir);
  const database = started.add(await openDatabase(config, logger));
  const wire = started.add(await openWire(config, logger));
  const research = started.add(await openResearch({ config, database, logger }));
  await approveConfigured(research.library, config.library);
  const blobs = createFileBlobStore(join(config.dataDir, 'blobs'));
  const host = createActorHost({
    workerId: database.workerId,
    store: database.actors,
    bus: wire.bus,
    definitions: catalogue,
    ports: portsOf(database, research, blobs),
    clock: systemClock,
    randomness: systemRandomness,
    logger,
    limits: { keepLogMs: config.logDays * DAY_MS },
  });
  const apiToken = await readOrCreateSecret(apiTokenPath(config.dataDir));
  const parts = { config, options, database, wire, research, blobs, host, logger, apiToken };
  const gateway = createGateway(await gatewayDependencies(parts));
  gateway.attachSockets();
  // The port is bound before any actor runs: a taken port must not leave half a product behind.
  const { url } = await gateway.listen({ host: config.host, port: config.port });
  started.add({ stop: () => host.stop() });
  started.add({ stop: () => gateway.close() });
  await host.start();
  await writeInstance(config.dataDir, url);
  started.add({ stop: () => removeInstance(config.dataDir) });
  return {
    url,
    signInPath: () => gateway.issueSignInPath(),
    api: { url, token: apiToken },
    host,
    stop: () => started.stopAll(),
  };
}

function portsOf(database: Database, research: ResearchParts, blobs: BlobStore): ActorPorts {
  return {
    browser: research.browser,
    search: research.search,
    research: database.reads.research,
    sources: database.reads.researchWrites,
    blobs,
  };
}

type Parts = {
  readonly config: Config;
  readonly options: ProductOptions;
  readonly database: Database;
  readonly wire: Wire;
  readonly research: ResearchParts;
  readonly blobs: BlobStore;
  readonly host: ActorHost;
  readonly logger: Logger;
  readonly apiToken: string;
};

async function gatewayDependencies(parts: Parts): Promise<GatewayDependencies> {
  const { config, options, database, research, host } = parts;
  return {
    client: host.client,
    streams: host.streams,
    inspection: host.inspection,
    reads: database.reads,
    blobs: parts.blobs,
    library: research.library,
    ready: createReadiness({ database, wire: parts.wire, browser: research.browser, library: research.library }),
    metrics: () => Promise.resolve(renderMetrics(host.stats())),
    access: {
      sessionSecret: await readOrCreateSecret(join(config.dataDir, 'keys', 'session')),
      apiToken: parts.apiToken,
      projects,
    },
    clock: systemClock,
    randomness: systemRandomness,
    logger: parts.logger,
    version: productVersion,
    engine: engineName,
    language: config.language,
    staticDir: options.clientDir ?? join(config.dataDir, 'no-client'),
    helpDir,
    allowedOrigins: [],
  };
}
