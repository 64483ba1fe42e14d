// BrowserHealth
//
// BR-01: what has to be true before the browser is used, found out by using it.
// Owns:     one look at engine, process, resources, clock, egress and storage.
// Owns not: the engine and the proxy (it leases them like any session), when to look (browser).
//
//   BH1  The real engine is started and shows a page that came through the real way out.
//   BH2  A canary on this machine is called from the page, by TCP and by UDP, and must hear nothing.
//   BH3  Each of the six is named with what was found; one that is wrong makes all wrong.
import { randomBytes } from 'node:crypto';
import type { BrowserHealth, HealthCheck } from '#contracts/ports/browser-health.ts';
import { failure, toFailure } from '#contracts/errors.ts';
import { withDeadline } from '../deadline.ts';
import type { EgressProxy } from '../egress/egress-proxy.ts';
import type { BrowserEngine, EngineLease } from './browser-engine.ts';
import { openCanary, type Canary } from './canary.ts';
import { machineMemory } from './machine-memory.ts';
import { descendants, privateBytes, readProcesses } from './process-table.ts';
import { checkStorage } from './storage-check.ts';

export type HealthParts = {
  readonly engine: BrowserEngine;
  readonly proxy: EgressProxy;
  readonly folder: string;
  readonly executable: string;
  /** A page that only this process can have sent: its address and the word that it shows. */
  readonly page: { readonly url: string; readonly word: string };
  readonly nowMs: () => number;
};

const WHOLE_TIMEOUT_MS = 40_000;
const MIN_MEMORY_BYTES = 256 * 1024 ** 2;
const MAX_CLOCK_SKEW_MS = 2000;
const MIB = 1024 ** 2;

type Seen = { readonly word: string; readonly now: number };

/** Calls the canary in the two ways that have got past proxies, and lets UDP time to leave. */
function probeScript({ port }: Canary): string {
  return `(async () => {
    const peer = typeof RTCPeerConnection === 'function'
      ? new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }) : null;
    if (peer) { peer.createDataChannel('x'); await peer.setLocalDescription(await peer.createOffer()); }
    const seen = { word: document.title, now: Date.now() };
    await fetch('http://127.0.0.1:${port}/', { mode: 'no-cors' }).catch(() => 0);
    await new Promise((done) => setTimeout(done, peer ? 400 : 0));
    if (peer) peer.close();
    return seen;
  })()`;
}

async function usePage(lease: EngineLease, parts: HealthParts, canary: Canary): Promise<HealthCheck[]> {
  const session = `health-${randomBytes(6).toString('hex')}`;
  const credentials = parts.proxy.openSession(session);
  const context = await lease.browser.newContext({ proxy: { server: lease.proxyUrl, ...credentials } });
  try {
    const page = await context.newPage();
    await page.goto(parts.page.url, { timeout: 15_000 });
    const asked = parts.nowMs();
    const seen = await page.evaluate<Seen>(probeScript(canary));
    const answered = parts.nowMs();
    const refusals = parts.proxy.verdicts.since(session, 0).filter(({ target }) => target.includes(`:${canary.port}`));
    return [
      checkProcess(lease),
      checkClock(seen.now, asked, answered),
      checkEgress(seen.word === parts.page.word, refusals.length, canary.hits()),
    ];
  } finally {
    parts.proxy.closeSession(session);
    void context.close().catch(() => undefined);
  }
}

function checkProcess({ processes, isSandboxed }: EngineLease): HealthCheck {
  const rows = readProcesses();
  const all = processes.flatMap(({ pid }) => descendants(pid, rows));
  const megabytes = Math.round(all.reduce((sum, { pid }) => sum + privateBytes(pid), 0) / MIB);
  const sandbox = isSandboxed ? 'in the sandbox of Chromium' : 'without the sandbox of Chromium';
  const isKnown = process.platform !== 'linux' || all.length > 0;
  const figures = process.platform === 'linux' ? `${all.length} processes, ${megabytes} MiB, ` : '';
  return { name: 'process', ok: isKnown, detail: `${figures}${sandbox}` };
}

function checkClock(seen: number, asked: number, answered: number): HealthCheck {
  const ok = seen >= asked - MAX_CLOCK_SKEW_MS && seen <= answered + MAX_CLOCK_SKEW_MS;
  return {
    name: 'clock',
    ok,
    detail: ok ? 'the page and this process agree' : `the page says ${new Date(seen).toISOString()}`,
  };
}

function checkEgress(isOurs: boolean, refusals: number, hits: number): HealthCheck {
  const problem = [
    isOurs ? '' : 'the test page did not arrive as it was sent',
    hits === 0 ? '' : `${hits} connections passed the way out and reached this machine`,
    refusals > 0 ? '' : 'a call to this machine was not refused by the way out',
  ].filter((text) => text !== '');
  return {
    name: 'egress',
    ok: problem.length === 0,
    detail: problem.join('; ') || 'one way out, this machine refused',
  };
}

function checkResources(): HealthCheck {
  const { available } = machineMemory();
  const detail = `${Math.round(available / MIB)} MiB of memory left`;
  return { name: 'resources', ok: available >= MIN_MEMORY_BYTES, detail };
}

/** Looks at everything; never throws. */
export async function checkHealth(parts: HealthParts): Promise<Omit<BrowserHealth, 'sessions'>> {
  const began = performance.now();
  const startedMs = (): number => Math.round(performance.now() - began);
  const before = [checkResources(), checkStorage(parts.folder)];
  let lease: EngineLease | undefined;
  let canary: Canary | undefined;
  try {
    lease = await parts.engine.lease();
    canary = await openCanary();
    const late = failure('browser.timeout', 'The browser did not show its test page in time.');
    const found = await withDeadline(usePage(lease, parts, canary), WHOLE_TIMEOUT_MS, late);
    const { binary, browser, isSandboxed } = lease;
    const engine = `chromium (${binary.origin})`;
    const version = browser.version();
    const checks = [{ name: 'engine', ok: true, detail: `${engine} ${version}` } as const, ...found, ...before];
    const problem = checks.find(({ ok }) => !ok);
    const state = { engine, version, executable: binary.executable, isSandboxed, startedMs: startedMs(), checks };
    return problem === undefined
      ? { ok: true, ...state }
      : { ok: false, ...state, problem: `${problem.name}: ${problem.detail}` };
  } catch (error) {
    if (lease !== undefined) await lease.suspect();
    const problem = toFailure(error, 'browser.unavailable').message;
    const checks = [{ name: 'engine', ok: false, detail: problem } as const, ...before];
    const { executable } = parts;
    const state = { engine: 'chromium', version: '', executable, isSandboxed: null, startedMs: startedMs(), checks };
    return { ok: false, ...state, problem };
  } finally {
    lease?.release();
    canary?.close();
  }
}
