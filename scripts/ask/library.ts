import type { Api } from './api.ts';

const POLL_MS = 300;
const LIMIT_MS = 300_000;

/** Waits until everything approved is indexed, so that the answer does not depend on how far indexing came. */
export async function waitForLibrary(api: Api, say: (line: string) => void): Promise<void> {
  const start = performance.now();
  let shown = '';
  while (performance.now() - start < LIMIT_MS) {
    const { roots } = await api.library();
    const busy = roots.filter(({ state }) => state === 'waiting' || state === 'indexing');
    if (busy.length === 0) return;
    const line = `indexing: ${busy.map(({ label, pages }) => `${label} (${pages})`).join(', ')}`;
    if (line !== shown) say(line);
    shown = line;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  say('the library is still being indexed; asking with what is there');
}
