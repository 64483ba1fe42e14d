import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MemoryLibraryStore } from '#persistence/memory/library-store.ts';
import { createLibrarySite } from '#runtime/providers/search/library/site.ts';
import { createStoredRoots } from '#runtime/providers/search/library/stored-roots.ts';

const folder = mkdtempSync(join(tmpdir(), 'yunsou-roots-'));
writeFileSync(join(folder, 'page.html'), '<title>Here</title>');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BUILTINS = { helpFolder: folder, execPath: '/nowhere/bin/node', npmExecPath: undefined };

describe('library pages in a process that does not keep the library', () => {
  it('[LB1] a folder is served from its approval on, and no longer once it is withdrawn', async () => {
    const store = new MemoryLibraryStore();
    const site = createLibrarySite({ library: createStoredRoots(store, BUILTINS) });
    const status = async () => (await site({ method: 'GET', path: '/folder-1/page.html' })).status;
    expect(await status()).toBe(404);
    await store.putRoot({ rootId: 'folder-1', kind: 'folder', label: 'Mine', path: folder, approvedAtMs: 0 });
    expect(await status()).toBe(200);
    await store.removeRoot('folder-1');
    expect(await status()).toBe(404);
  });

  it('[LS1] while the store does not answer the page is unavailable, not missing', async () => {
    const away = { roots: () => Promise.reject(new Error('the connection was lost')) };
    const site = createLibrarySite({ library: createStoredRoots(away, BUILTINS) });
    expect((await site({ method: 'GET', path: '/folder-1/page.html' })).status).toBe(503);
  });

  it('[LB1] a built-in folder is taken from this machine, whatever its place on the one that indexed it', async () => {
    const store = new MemoryLibraryStore();
    await store.putRoot({ rootId: 'help', kind: 'help', label: 'Help', path: '/elsewhere', approvedAtMs: 0 });
    const site = createLibrarySite({ library: createStoredRoots(store, BUILTINS) });
    expect((await site({ method: 'GET', path: '/help/page.html' })).status).toBe(200);
  });
});
