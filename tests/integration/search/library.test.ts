import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLibraryStore } from '#persistence/memory/library-store.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';
import { systemClock } from '#runtime/main/system-time.ts';
import { createLibrary, type Library } from '#runtime/providers/search/library/library.ts';
import { addressOf, placeOf } from '#runtime/providers/search/library/library-address.ts';
import { createPageIndexer } from '#runtime/providers/search/library/page-indexer.ts';
import { createLibraryProvider } from '#runtime/providers/search/library/provider.ts';
import { createLibrarySite, type LibrarySite } from '#runtime/providers/search/library/site.ts';
import { providerCall } from '#tests/support/fakes/search-call.ts';

const WORDS = 'The harbour office opens at nine and sells day passes for every ferry of the lake.';
const page = (title: string, body = WORDS): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><article><h1>${title}</h1><p>${body}</p><p>${body}</p></article></body></html>`;

let folder: string;
let outside: string;
let store: MemoryLibraryStore;
let library: Library;
let site: LibrarySite;

beforeEach(async () => {
  const base = await mkdtemp(join(tmpdir(), 'yunsou-library-'));
  folder = join(base, 'docs');
  outside = join(base, 'secret');
  await mkdir(folder);
  await mkdir(outside);
  await writeFile(join(outside, 'secret.html'), page('Secret', 'The treasure is buried under the lighthouse.'));
  store = new MemoryLibraryStore();
  library = createLibrary({ store, indexer: createPageIndexer(createReader()), clock: systemClock, builtins: null });
  site = createLibrarySite({ library });
});
afterEach(async () => {
  await library.stop();
  await rm(join(folder, '..'), { recursive: true, force: true });
});

const put = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(folder, name), content);
const get = (path: string) => site({ method: 'GET', path });

async function approved() {
  const root = await library.approve(folder);
  await library.ready();
  const [progress] = await library.progress();
  return { root, progress };
}

async function find(brief: string): Promise<string[]> {
  const { sources } = await createLibraryProvider({ library, store }).search({ brief }, providerCall());
  return sources.map(({ url }) => placeOf(new URL(url).pathname)?.path ?? '');
}

describe('indexing', () => {
  it('[SE-11] HTML, Markdown, text and their .gz are found by their words', async () => {
    await put('a.html', page('Harbour guide'));
    await put('b.md', '# Anchors\n\nAn **anchor** holds the ship. It weighs forty kilograms.\n\n- first\n- second\n');
    await put('c.txt', 'Rope is stored in the red shed beside the pier, next to the paint.');
    await put(
      'd.html.gz',
      gzipSync(page('Lanterns', 'Lanterns are lit at dusk by the keeper, who also winds the clock.')),
    );
    expect((await approved()).progress).toMatchObject({ state: 'ready', pages: 4, changed: 4, failed: [] });
    expect((await find('harbour guide'))[0]).toBe('a.html');
    expect((await find('how heavy is an anchor'))[0]).toBe('b.md');
    expect((await find('where is rope stored'))[0]).toBe('c.txt');
    expect((await find('who lights the lanterns'))[0]).toBe('d.html.gz');
  });

  it('[SE-11] a later run reads only what changed, and forgets what is gone', async () => {
    await put('a.html', page('Harbour'));
    await put('b.html', page('Pier'));
    const { root } = await approved();
    expect(await library.reindex(root.rootId)).toMatchObject({ pages: 2, changed: 0 });
    await utimes(join(folder, 'a.html'), 1, 1);
    expect(await library.reindex(root.rootId)).toMatchObject({ pages: 2, changed: 0 });
    await put('a.html', page('Lagoon', 'A lagoon is shallow water behind a reef, and quite warm in summer.'));
    await rm(join(folder, 'b.html'));
    expect(await library.reindex(root.rootId)).toMatchObject({ pages: 1, changed: 1 });
    expect(await find('lagoon reef')).toEqual(['a.html']);
    await expect(find('pier')).rejects.toMatchObject({ failure: { code: 'search.response_invalid' } });
  });

  it('[SE-11] files that cannot be pages are left out with a reason, and hurt no others', async () => {
    await put('good.html', page('Harbour'));
    await put(
      'binary.txt',
      Uint8Array.from({ length: 4000 }, (_, i) => (i * 7) % 256),
    );
    await put('empty.html', '');
    await put('huge.txt', new Uint8Array(20 * 1024 * 1024 + 1).fill(97));
    await put('bomb.txt.gz', gzipSync(new Uint8Array(21 * 1024 * 1024)));
    await put('fake.html.gz', 'this is no gzip');
    await put('damaged.pdf', '%PDF-1.7 nothing');
    await put('script.html', '<script>document.write("x")</script>');
    await put('picture.png', new Uint8Array(10));
    await put('denied.html', page('Denied'));
    await chmod(join(folder, 'denied.html'), 0);
    await symlink(join(outside, 'secret.html'), join(folder, 'link.html'));
    await symlink(outside, join(folder, 'linked-folder'));
    await symlink(folder, join(folder, 'loop'));
    await symlink('/nowhere/at/all.html', join(folder, 'dangling.html'));
    const { progress } = await approved();
    const failed = new Map(progress?.failed.map(({ path, reason }) => [path, reason]));
    for (const path of ['binary.txt', 'empty.html', 'huge.txt', 'bomb.txt.gz', 'fake.html.gz', 'damaged.pdf']) {
      expect(failed.get(path), path).toMatch(/\w/);
    }
    for (const path of ['link.html', 'linked-folder']) expect(failed.get(path), path).toMatch(/leads out/);
    expect(progress?.state).toBe('ready');
    expect(await find('harbour')).toContain('good.html');
    await expect(find('treasure lighthouse buried')).rejects.toMatchObject({
      failure: { code: 'search.response_invalid' },
    });
  });

  it('[SE-11] hostile file names are indexed and served like any other', async () => {
    const names = [
      '..a.html',
      'new\nline.html',
      '%00.html',
      '%2e%2e.html',
      '"quotes\'.html',
      '表格 (1).html',
      '😀.html',
      'a&b=<c>.html',
      '#?.html',
      `${'x'.repeat(200)}.html`,
    ];
    for (const name of names) await put(name, page(`Harbour ${name.length}`));
    const { root, progress } = await approved();
    expect(progress?.failed).toEqual([]);
    for (const name of names) {
      const { status, body } = await get(new URL(addressOf(root.rootId, name)).pathname);
      expect([name, status]).toEqual([name, name.startsWith('.') ? 404 : 200]);
      if (status === 200) expect(new TextDecoder().decode(body)).toContain('Harbour');
    }
  });

  it('[SE-11] a folder that is none is refused; approving twice is one root; a withdrawn root is gone', async () => {
    for (const path of ['/nowhere/at/all', join(outside, 'secret.html'), '']) {
      await expect(library.approve(path === '' ? join(folder, 'none') : path)).rejects.toMatchObject({
        failure: { code: 'library.unreadable' },
      });
    }
    await put('a.html', page('Harbour'));
    const { root } = await approved();
    expect((await library.approve(join(folder, '.'))).rootId).toBe(root.rootId);
    expect(await library.roots()).toHaveLength(1);
    await library.withdraw(root.rootId);
    expect((await store.corpus()).pages).toBe(0);
    expect((await get(`/${root.rootId}/a.html`)).status).toBe(404);
    await expect(find('harbour')).rejects.toMatchObject({ failure: { code: 'search.unavailable' } });
  });
});

describe('search', () => {
  it('[SE-11] a question in Chinese finds Chinese pages first, one in English finds English ones', async () => {
    await put(
      'zh.html',
      page('停止任务', '要停止一个正在运行的 task，请点击 stop 按钮。停止之后任务不会再有新的事件。').replace(
        '"en"',
        '"zh-CN"',
      ),
    );
    await put(
      'en.html',
      page('Stopping a task', 'To stop a running task, click the stop button. 停止 is its Chinese name.'),
    );
    await approved();
    expect((await find('怎么停止一个正在运行的任务?'))[0]).toBe('zh.html');
    expect((await find('how do I stop a running task?'))[0]).toBe('en.html');
  });

  it('[SE-03] allowed domains that the library is not one of find nothing', async () => {
    await put('a.html', page('Harbour'));
    await approved();
    const call = providerCall();
    const search = (domain: string) =>
      createLibraryProvider({ library, store }).search({ brief: 'harbour', allowed_domains: [domain] }, call);
    await expect(search('example.com')).rejects.toMatchObject({ failure: { code: 'search.response_invalid' } });
    expect((await search('library.yunsou.internal')).sources).toHaveLength(1);
  });
});

describe('internal site', () => {
  it('[SE-11] nothing outside an approved folder is served', async () => {
    await put('a.html', page('Harbour'));
    await symlink(join(outside, 'secret.html'), join(folder, 'link.html'));
    const { root } = await approved();
    const id = root.rootId;
    const paths = [
      `/${id}/../../secret/secret.html`,
      `/${id}/%2e%2e/secret/secret.html`,
      `/${id}/..%2f..%2fsecret%2fsecret.html`,
      `/${id}//etc/passwd`,
      `/${id}/link.html`,
      `/${id}/a.html%00.png`,
      `/${id}/`,
      `/${id}`,
      '/',
      '',
      '/other/a.html',
      `/${id}/a.html/x.html`,
      `/${id}/%ff%fe.html`,
      `/${id}/..\\secret.html`,
      `/${id}/none.html`,
      `/${id}/.hidden.html`,
    ];
    for (const path of paths) expect((await get(path)).status, path).toBe(404);
    expect((await site({ method: 'POST', path: `/${id}/a.html` })).status).toBe(405);
  });

  it('[SE-08] pages come with headers that forbid scripts and strangers, Markdown comes as escaped HTML', async () => {
    await put('a.html', page('Harbour'));
    await put(
      'b.md',
      '# T <script>alert(1)</script>\n\n[x](javascript:alert(1)) <img src=x onerror=y> **bold**\n\n|a|b|\n|-|-|\n|1|2|\n',
    );
    const { root } = await approved();
    const { headers } = await get(`/${root.rootId}/a.html?x#y`);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    const html = new TextDecoder().decode((await get(`/${root.rootId}/b.md`)).body);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toMatch(/<(?:script|img)|href/);
    expect(html).toContain('<td>2</td>');
  });

  it('[SE-11] a file swapped for a link after indexing is not served', async () => {
    await put('a.html', page('Harbour'));
    const { root } = await approved();
    await rename(join(folder, 'a.html'), join(folder, 'b.html'));
    await symlink(join(outside, 'secret.html'), join(folder, 'a.html'));
    expect((await get(`/${root.rootId}/a.html`)).status).toBe(404);
  });
});
