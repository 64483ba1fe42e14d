import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../runtime/percentiles.ts';
import { openBareBrowser, type BareBrowser } from './bare-browser.ts';
import type { SavedPage } from './data-sets.ts';
import { servePages } from './page-server.ts';
import { openProductBrowser, type ProductBrowser } from './product-browser.ts';
import { descendantMegabytes } from './process-memory.ts';
import type { SpeedReport } from './read-report.ts';

const ROUNDS = 2;
const CONTEXTS = 8;
const ALONE = 'ses_bench_alone';

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
}

type Costs = { readonly bareMs: number; readonly productMs: number };

/** In turns, so that a busy moment of the machine falls on both; the median of the rounds, page by page. */
async function measureCosts(urls: readonly string[], bare: BareBrowser, product: ProductBrowser): Promise<Costs> {
  let [bareMs, productMs] = [0, 0];
  for (const url of urls) {
    const bares: number[] = [];
    const products: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      bares.push(await timed(() => bare.read(url)));
      products.push(await timed(() => product.read(ALONE, url)));
    }
    bareMs += median(bares);
    productMs += median(products);
  }
  return { bareMs, productMs };
}

async function readTogether(urls: readonly string[], product: ProductBrowser, sessions: readonly string[]) {
  const waiting = [...urls];
  await Promise.all(
    sessions.map(async (session) => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) await product.read(session, url);
    }),
  );
}

async function measureTogether(urls: readonly string[], product: ProductBrowser) {
  const aloneMs = await timed(() => readTogether(urls, product, [ALONE]));
  const oneMb = await descendantMegabytes();
  const sessions = Array.from({ length: CONTEXTS }, (_, index) => `ses_bench_${index}`);
  for (const session of sessions) await product.open(session);
  // So that everybody has started who takes part.
  await readTogether(urls.slice(0, CONTEXTS), product, sessions);
  const togetherMs = await timed(() => readTogether(urls, product, sessions));
  const allMb = await descendantMegabytes();
  const mbPerContext = oneMb === null || allMb === null ? null : (allMb - oneMb) / CONTEXTS;
  return { aloneMs, togetherMs, mbPerContext };
}

/** The whole way of a page (browser, serialising, reading process) beside the shortest one. */
export async function measureSpeed(pages: readonly SavedPage[]): Promise<SpeedReport> {
  // Unpacking Chromium takes seconds, so all measurements share the unpacked one.
  const folder = join(tmpdir(), `yunsou-tests-${process.getuid?.() ?? 'user'}`);
  await mkdir(folder, { recursive: true });
  const server = await servePages(pages);
  const product = openProductBrowser(folder, server.port);
  try {
    await product.open(ALONE);
    const bare = await openBareBrowser(folder);
    let costs: Costs;
    try {
      for (const url of server.urls.slice(0, 3)) {
        await bare.read(url);
        await product.read(ALONE, url);
      }
      costs = await measureCosts(server.urls, bare, product);
    } finally {
      await bare.close();
    }
    const { aloneMs, togetherMs, mbPerContext } = await measureTogether(server.slowUrls, product);
    return {
      pages: pages.length,
      pages_per_s: pages.length / (togetherMs / 1000),
      ratio_to_bare: costs.productMs / costs.bareMs,
      ms_per_page: costs.productMs / pages.length,
      bare_ms_per_page: costs.bareMs / pages.length,
      overlap: aloneMs / togetherMs,
      mb_per_context: mbPerContext,
    };
  } finally {
    await product.stop();
    await server.close();
  }
}
