import type { Ready } from '#contracts/http/system.ts';
import type { ActorStore } from '#contracts/ports/actor-store.ts';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import type { LibraryPort } from '#contracts/ports/library.ts';
import { POOLS, type Pool } from '#contracts/shards.ts';
import { DEFAULT_LIMITS } from '#runtime/host/limits.ts';
import type { Role } from './config.ts';
import type { ProcessParts } from './process-parts.ts';

type Part = Ready['database'];

/** OP-01: asks the database, starts the real browser, looks at the library. A part that is not there is named, never assumed. */
export function createReadiness(parts: ProcessParts & { readonly library: LibraryPort }): () => Promise<Ready> {
  const { database, wire, research, models } = parts;
  return async () => {
    const [databasePart, servers, libraryPart] = await Promise.all([
      attempt(async () => ({ ok: true, detail: await database.probe() })),
      countServers(database.actors).catch(() => null),
      attempt(() => lookAtLibrary(parts.library)),
    ]);
    const browserPart = await attempt(() => lookAtBrowser(research.browser, servers?.browser ?? 0));
    const workersPart = describeServers(servers);
    return {
      ready: databasePart.ok && browserPart.ok && libraryPart.ok && workersPart.ok,
      database: databasePart,
      wire: wire.look(),
      browser: browserPart,
      library: libraryPart,
      workers: workersPart,
      engine: models.administration.view().engine,
    };
  };
}

export type ProcessReady = {
  readonly ready: boolean;
  readonly roles: readonly Role[];
  readonly database: Part;
  readonly wire: Part;
  /** Only where one runs. */
  readonly browser?: Part;
};

/** Of a process without the web interface: whether it can do its own part. */
export function createProcessReadiness({
  config,
  database,
  wire,
  research,
}: ProcessParts): () => Promise<ProcessReady> {
  const { browser } = research;
  return async () => {
    const databasePart = await attempt(async () => ({ ok: true, detail: await database.probe() }));
    const browserPart = browser === null ? null : await attempt(() => lookAtBrowser(browser, 1));
    return {
      ready: databasePart.ok && browserPart?.ok !== false,
      roles: config.roles,
      database: databasePart,
      wire: wire.look(),
      ...(browserPart === null ? {} : { browser: browserPart }),
    };
  };
}

async function lookAtBrowser(browser: BrowserPort | null, processes: number): Promise<Part> {
  if (browser === null) return { ok: processes > 0, detail: `in ${processes} other processes` };
  const health = await browser.health();
  const sandbox = health.isSandboxed === true ? 'sandboxed' : 'without its sandbox';
  return { ok: health.ok, detail: health.problem ?? `${health.engine} ${health.version}, ${sandbox}` };
}

async function lookAtLibrary(library: LibraryPort): Promise<Part> {
  const progress = await library.progress();
  const pages = progress.reduce((sum, root) => sum + root.pages, 0);
  const isBusy = progress.some((root) => root.state === 'waiting' || root.state === 'indexing');
  const detail = isBusy ? `indexing, ${pages} pages so far` : `${pages} pages in ${progress.length} folders`;
  return { ok: true, detail };
}

/** How many living processes serve each pool. */
async function countServers(store: Pick<ActorStore, 'liveWorkers'>): Promise<Readonly<Record<Pool, number>>> {
  const live = await store.liveWorkers(DEFAULT_LIMITS.deadAfterMs);
  const count = (pool: Pool) => live.filter(({ pools }) => pools.includes(pool)).length;
  return { main: count('main'), browser: count('browser') };
}

const ROLE_OF: Readonly<Record<Pool, Role>> = { main: 'worker', browser: 'browser' };

function describeServers(servers: Readonly<Record<Pool, number>> | null): Part {
  if (servers === null) return { ok: false, detail: 'unknown while the database does not answer' };
  const missing = POOLS.filter((pool) => servers[pool] === 0);
  if (missing.length === 0) return { ok: true, detail: POOLS.map((pool) => `${pool}: ${servers[pool]}`).join(', ') };
  const detail = missing.map((pool) => `nobody serves the pool '${pool}' (--role ${ROLE_OF[pool]})`).join(', ');
  return { ok: false, detail };
}

async function attempt(look: () => Promise<Part>): Promise<Part> {
  try {
    return await look();
  } catch (thrown) {
    return { ok: false, detail: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
