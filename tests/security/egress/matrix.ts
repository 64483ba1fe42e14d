// Canary matrix
//
// Everything by which a page can make a browser connect, against listeners on this machine that must hear nothing.
// Owns:     the listeners, the attacker's site, engine and proxy under test, one report.
// Owns not: the vectors (vectors-*.ts), what the product adds on top in its pages: here the way out stands alone.
//
//   CM1  A vector counts when the same piece of page has reached an approved listener through the way out, and the way out has
//        refused its twin that is aimed at the canary.
//   CM2  Where the engine sends nothing even to what is approved, a vector counts when it has reached a listener in the same browser
//        without our switches and proxy.
//   CM3  A hit at any canary at any time counts, whichever vector made it.
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright';
import { silentLogger } from '#contracts/ports/logger.ts';
import { EgressProxy } from '#runtime/providers/browser/egress/egress-proxy.ts';
import { BrowserEngine } from '#runtime/providers/browser/engine/browser-engine.ts';
import { recyclingLimits } from '#runtime/providers/browser/engine/recycling.ts';
import type { LocalSite } from '#tests/support/sites/local-site.ts';
import { sharedFolder } from '#tests/support/sites/browser-harness.ts';
import { openAttackerSite } from './attacker-site.ts';
import { openListener, type Listener } from './listeners.ts';
import { runPages, type Visit } from './run-pages.ts';
import type { PageAnswer, Target, Vector } from './vector.ts';
import { EMBEDDED } from './vectors-embed.ts';
import { ADDRESSES, MOVING } from './vectors-page.ts';
import { SCRIPTED } from './vectors-script.ts';

export const VECTORS: readonly Vector[] = [...EMBEDDED, ...SCRIPTED, ...MOVING, ...ADDRESSES];

export type VectorResult = {
  readonly id: string;
  /** Where its page was seen to work; `dead` does not count. */
  readonly control: 'approved' | 'bare browser' | 'dead';
  readonly refusals: number;
  readonly canaryHits: number;
};
export type MatrixReport = {
  /** Those whose page really worked. */
  readonly vectors: number;
  readonly canary_hits: number;
  readonly dead: readonly string[];
  readonly results: readonly VectorResult[];
  readonly seconds: number;
};

type Case = {
  readonly vector: Vector;
  readonly canary: Listener;
  readonly control: Listener;
  readonly bare: Listener;
};

const PER_PAGE = 8;
const GRACE_MS = 700;

function target(host: string, port: number, key: string): Target {
  const origin = `${host}:${port}`;
  return { host, port, key, http: `http://${origin}`, https: `https://${origin}`, ws: `ws://${origin}` };
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}

/** The name server of the attacker. */
function createResolver(): (name: string) => Promise<readonly string[]> {
  let rebinds = 0;
  const names: Readonly<Record<string, readonly string[]>> = {
    'inner6.test': ['::1'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'nat64.test': ['64:ff9b::7f00:1'],
    'zero.test': ['0.0.0.0'],
    'metadata.test': ['169.254.169.254'],
    'mixed.test': ['127.0.0.1', '93.184.215.14'],
    'mixed-late.test': ['93.184.215.14', '2606:4700::1111', '127.0.0.1'],
    'own.test': [ownAddress()],
  };
  return (name) => {
    if (name === 'rebind.test') return Promise.resolve([(rebinds += 1) % 2 === 1 ? '192.0.2.1' : '127.0.0.1']);
    return Promise.resolve(names[name] ?? ['127.0.0.1']);
  };
}

async function openCases(): Promise<Case[]> {
  const everywhere = await openListener('::').then(
    (listener) => (listener.close(), '::'),
    () => '0.0.0.0',
  );
  return Promise.all(
    VECTORS.map(async (vector) => ({
      vector,
      canary: await openListener(everywhere),
      control: await openListener('127.0.0.1'),
      bare: await openListener('127.0.0.1'),
    })),
  );
}

/** What of a vector stands in a page, for one target. */
function piece({ vector }: Case, to: Target): string {
  if (vector.kind === 'embed') return vector.html(to);
  if (vector.kind !== 'address') return '';
  const isControl = to.host === 'control.test';
  return `<img src="${isControl ? `${to.http}/a` : vector.url(to.port)}">`;
}

const document = (pieces: string): PageAnswer => ({
  html: `<!doctype html><title>x</title><body><p>text</p>${pieces}`,
});

/** Pages with several vectors each, every one towards both targets; those that leave their page have one for each target. */
function planVisits(
  cases: readonly Case[],
  pages: Map<string, () => PageAnswer>,
  refusals: Refusals,
  perPage = PER_PAGE,
): Visit[] {
  const visits: Visit[] = [];
  const add = (isDone: () => boolean, answer: () => PageAnswer): void => {
    const path = `/page-${pages.size}`;
    pages.set(path, answer);
    visits.push({ path, isDone });
  };
  const hasReached = ({ control }: Case): boolean => control.hits() > 0;
  const isRefused = ({ canary }: Case): boolean => refusals(canary.port) > 0;
  const both = (member: Case, index: number): string =>
    piece(member, target('control.test', member.control.port, `c${index}`)) +
    piece(member, target('127.0.0.1', member.canary.port, `x${index}`));
  const addTogether = (members: readonly Case[]): void =>
    add(
      () => members.every(hasReached) && members.every(isRefused),
      () => document(members.map(both).join('')),
    );
  const together = cases.filter(({ vector }) => vector.kind !== 'page' && !('isAlone' in vector));
  for (let first = 0; first < together.length; first += perPage) addTogether(together.slice(first, first + perPage));
  for (const member of cases) {
    const { vector, control, canary } = member;
    if (vector.kind === 'embed' && vector.isAlone === true) addTogether([member]);
    if (vector.kind !== 'page') continue;
    add(
      () => hasReached(member),
      () => vector.answer(target('control.test', control.port, 'c')),
    );
    add(
      () => isRefused(member),
      () => vector.answer(target('127.0.0.1', canary.port, 'x')),
    );
  }
  return visits;
}

/** How often the proxy has refused to connect to a port. */
type Refusals = (port: number) => number;

function countRefusals(proxy: EgressProxy, sessions: readonly string[]): Refusals {
  const counted = new Map<number, number>();
  let seen = 0;
  return (port) => {
    const news = sessions.flatMap((session) => proxy.verdicts.since(session, seen));
    seen = proxy.verdicts.now;
    for (const verdict of news) {
      const one = Number(/:(\d+)(?:\/|$)/u.exec(verdict.target.replace(/^http:\/\//u, ''))?.[1] ?? 0);
      counted.set(one, (counted.get(one) ?? 0) + 1);
    }
    return counted.get(port) ?? 0;
  };
}

/** The same pieces in the same browser without anything of ours, towards this machine. */
async function controlBare(
  executable: string,
  silent: readonly Case[],
  site: LocalSite,
  pages: Map<string, () => PageAnswer>,
): Promise<void> {
  const embedded = silent.filter(({ vector }) => vector.kind === 'embed');
  if (embedded.length === 0) return;
  const visits = embedded.map((member, index): Visit => {
    const path = `/bare-${index}`;
    pages.set(path, () => document(piece(member, target('127.0.0.1', member.bare.port, 'b'))));
    return { path, isDone: () => member.bare.hits() > 0 };
  });
  const browser: Browser = await chromium.launch({
    executablePath: executable,
    args: ['--disable-gpu'],
    chromiumSandbox: false,
  });
  try {
    const contexts = [await browser.newContext()];
    await runPages(contexts, `http://localhost:${site.port}`, visits);
  } finally {
    await browser.close();
  }
}

/** Runs all vectors in the real browser and says what was heard. */
export async function runCanaryMatrix(): Promise<MatrixReport> {
  const began = performance.now();
  const cases = await openCases();
  const pages = new Map<string, () => PageAnswer>();
  const site = await openAttackerSite(pages);
  const approved = cases.flatMap(({ control }) => [`control.test:${control.port}`]);
  const proxy = new EgressProxy({
    resolve: createResolver(),
    approvedDestinations: new Set([...approved, `localhost:${site.port}`]),
    approvedOrigins: new Map(),
  });
  const engine = new BrowserEngine({
    folder: join(sharedFolder(), 'chromium'),
    browserPath: process.env['BROWSER_PATH'],
    proxy,
    idleCloseMs: 60_000,
    limits: recyclingLimits(),
    logger: silentLogger,
    nowMs: () => performance.now(),
  });
  try {
    const lease = await engine.lease();
    const contexts: BrowserContext[] = [];
    const sessions = ['matrix-1', 'matrix-2', 'matrix-3'];
    for (const session of sessions) {
      const credentials = proxy.openSession(session);
      contexts.push(await lease.browser.newContext({ proxy: { server: lease.proxyUrl, ...credentials } }));
    }
    const refusals = countRefusals(proxy, sessions);
    await runPages(contexts, `http://localhost:${site.port}`, planVisits(cases, pages, refusals));
    // A page may have been closed before its second half had its turn: those are opened once more, each alone.
    const isHalf = ({ control, canary }: Case): boolean => control.hits() > 0 && refusals(canary.port) === 0;
    await runPages(contexts, `http://localhost:${site.port}`, planVisits(cases.filter(isHalf), pages, refusals, 1));
    const silent = cases.filter(({ control, canary }) => control.hits() === 0 || refusals(canary.port) === 0);
    await controlBare(lease.binary.executable, silent, site, pages);
    await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
    lease.release();
    return report(cases, refusals, (performance.now() - began) / 1000);
  } finally {
    await engine.stop();
    for (const { canary, control, bare } of cases) for (const one of [canary, control, bare]) one.close();
    await site.close();
  }
}

function report(cases: readonly Case[], refusals: Refusals, seconds: number): MatrixReport {
  const results = cases.map(({ vector, canary, control, bare }): VectorResult => {
    const refused = refusals(canary.port);
    const bareOnly = bare.hits() > 0 ? 'bare browser' : 'dead';
    const alive = control.hits() > 0 && refused > 0 ? 'approved' : bareOnly;
    return { id: vector.id, control: alive, refusals: refused, canaryHits: canary.hits() };
  });
  return {
    vectors: results.filter(({ control }) => control !== 'dead').length,
    canary_hits: results.reduce((sum, { canaryHits }) => sum + canaryHits, 0),
    dead: results.filter(({ control }) => control === 'dead').map(({ id }) => id),
    results,
    seconds,
  };
}
