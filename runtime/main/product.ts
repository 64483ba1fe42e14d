// A process of the product: database, runtime, and what its roles need of browser, library and web interface.
//
// Owns:     the order in which parts start and stop, the lock on the data folder (through the database supervisor).
// Owns not: any decision of a part.
//
//   PR1  A failed start leaves nothing running: what was started is stopped again, in reverse order.
//   PR2  `stop` first stops taking requests, then drains the actors, then closes the browser and the database.
//   PR3  A process starts only what its roles need; what another role does is reached through database and wire.

import { join } from 'node:path';
import { catalogue, type ActorPorts } from '#actors/catalogue.ts';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { Pool } from '#contracts/shards.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { DEFAULT_LIMITS } from '#runtime/host/limits.ts';
import { createFileBlobStore } from '#runtime/providers/blob/file-blob-store.ts';
import type { Config, Role } from './config.ts';
import { prepareDataFolder } from './data-folder.ts';
import { openDatabase } from './database.ts';
import { projects, promptsVersion } from './facts.ts';
import { removeInstance, writeInstance } from './instance-file.ts';
import { approveConfigured } from './library-folder.ts';
import { openModels } from './models.ts';
import { createPlanning } from './planning.ts';
import { openProbes } from './probes.ts';
import type { ProcessParts } from './process-parts.ts';
import { createProductLogger } from './product-logger.ts';
import { openResearch } from './research-parts.ts';
import { createRunningCalls } from './running-calls.ts';
import { createSearchAccounts } from './search-accounts.ts';
import { createDistantSessions } from './session-keeper.ts';
import { specSettingsOf } from './spec-settings.ts';
import { Stack } from './stack.ts';
import { checkStoredShards } from './stored-shards.ts';
import { systemClock, systemRandomness } from './system-time.ts';
import { openWeb, type Web } from './web.ts';
import { openWire } from './wire.ts';

const DAY_MS = 86_400_000;

export type ProductOptions = {
  /** Folder of the built client; without it there is only the interface for programs. */
  readonly clientDir?: string;
};

export type Product = {
  readonly roles: readonly Role[];
  /** Of the web interface, else of the probes. */
  readonly url: string;
  /** `null` in a process without the web interface. */
  readonly web: Pick<Web, 'api' | 'signInPath'> | null;
  readonly host: ActorHost;
  stop(): Promise<void>;
};

/** Throws `config.invalid` or `store.unavailable` with one sentence; then nothing is left running. */
export async function startProduct(config: Config, options: ProductOptions = {}): Promise<Product> {
  const started = new Stack();
  try {
    return await start(config, options, started);
  } catch (thrown) {
    await started.stopAll();
    throw thrown;
  }
}

async function start(config: Config, options: ProductOptions, started: Stack): Promise<Product> {
  const { roles } = config;
  const logger = createProductLogger(config);
  await prepareDataFolder(config.dataDir);
  const database = started.add(await openDatabase(config, logger));
  await checkStoredShards(database.actors, projects, catalogue);
  const wire = started.add(await openWire(config, logger));
  const accounts = createSearchAccounts(logger);
  const research = started.add(await openResearch({ config, database, wire, logger, onUsage: accounts.book }));
  if (research.library !== null) await approveConfigured(research.library, config.library);
  const blobs = createFileBlobStore(join(config.dataDir, 'blobs'));
  const models = await openModels({
    config,
    environment: process.env,
    promptsVersion,
    clock: systemClock,
    logger,
  });
  const host = createActorHost({
    workerId: database.workerId,
    store: database.actors,
    bus: wire.bus,
    definitions: catalogue,
    pools: roles.flatMap((role) => POOL_OF[role] ?? []),
    ports: portsOf({ config, database, wire, research, blobs, models }),
    clock: systemClock,
    randomness: systemRandomness,
    logger,
    limits: { keepLogMs: config.logDays * DAY_MS },
  });
  accounts.attach(host.client);
  // The port is bound before any actor runs: a taken port must not leave half a product behind.
  const parts: ProcessParts = { config, database, wire, research, blobs, models, host, logger };
  const web = roles.includes('web') ? await openWeb(parts, options.clientDir) : null;
  const door = web ?? (await openProbes(parts));
  started.add({ stop: () => host.stop() });
  started.add({ stop: () => door.close() });
  await host.start();
  if (web !== null) {
    await writeInstance(config.dataDir, web.url);
    started.add({ stop: () => removeInstance(config.dataDir) });
  }
  return { roles, url: door.url, web, host, stop: () => started.stopAll() };
}

const POOL_OF: Readonly<Partial<Record<Role, Pool>>> = { worker: 'main', browser: 'browser' };

/** Effects run where their actors do, so each finds what its own pool needs; `search` is used in `main` alone. */
type PortsHere = Omit<ActorPorts, 'browser' | 'search'> & {
  readonly browser: BrowserPort | Pick<BrowserPort, 'closeTask'>;
  readonly search: SearchPort | null;
};

type Opened = Pick<ProcessParts, 'config' | 'database' | 'wire' | 'research' | 'blobs' | 'models'>;

function portsOf({ config, database, wire, research, blobs, models }: Opened): PortsHere {
  return {
    browser: research.browser ?? createDistantSessions(wire.bus),
    search: research.search,
    research: database.reads.research,
    tasks: database.reads.tasks,
    planning: createPlanning({
      models: models.port,
      search: research.search,
      browser: research.browser,
      liveWorkers: () => database.actors.liveWorkers(DEFAULT_LIMITS.deadAfterMs),
      settings: specSettingsOf(config),
    }),
    sources: database.reads.researchWrites,
    blobs,
    models: models.port,
    fences: database.actors,
    calls: createRunningCalls(),
  };
}
