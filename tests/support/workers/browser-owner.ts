// A process of its own with a running browser, to be killed from outside. It prints what it has started.
import { createBrowser } from '#runtime/providers/browser/browser.ts';
import { ownBrowserProcesses } from '#runtime/providers/browser/engine/browser-process.ts';
import { descendants, readProcesses } from '#runtime/providers/browser/engine/process-table.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';
import { silentLogger } from '#contracts/ports/logger.ts';

const [dataDir = '', url = '', approved = ''] = process.argv.slice(2);
const signal = AbortSignal.timeout(60_000);
const browser = createBrowser({
  dataDir,
  reader: createReader(),
  approvedOrigins: new Map(),
  approvedDestinations: new Set([approved]),
  resolve: () => Promise.resolve(['127.0.0.1']),
  logger: silentLogger,
  ...(process.env['BROWSER_PATH'] === undefined ? {} : { browserPath: process.env['BROWSER_PATH'] }),
});
await browser.openSession({ sessionId: 's1', project: 'p', taskId: 't', owner: 'o', locale: 'en-US' }, signal);
// The page never lets go of its processor, so its process cannot hear that everybody else has left.
await browser.navigate('s1', { kind: 'navigate', actionId: 'a', url }, signal).catch(() => undefined);
const owned = ownBrowserProcesses();
const rows = readProcesses();
const pids = owned.flatMap(({ pid }) => descendants(pid, rows)).map(({ pid, started }) => ({ pid, started }));
console.log(JSON.stringify({ pids, profiles: owned.map(({ profile }) => profile) }));
setInterval(() => undefined, 60_000);
