import { beforeEach, describe, expect, it } from 'vitest';
import type { FileEntry, LibraryStore } from '#contracts/ports/library-store.ts';

const LENGTHS = { title: 1, headings: 0, tableHeaders: 0, body: 2 };

function entry(path: string, terms: readonly string[], title = path): FileEntry {
  return {
    state: { path, bytes: 10, modifiedMs: 1_700_000_000_000, hash: `hash of ${path}`, rules: 'r1', skipped: null },
    page: {
      title,
      language: 'en',
      lengths: LENGTHS,
      postings: new Map(terms.map((term) => [term, { title: 0, headings: 1, tableHeaders: 0, body: 2 }])),
      passages: [{ terms: terms.join(' '), context: '', text: terms.join(' ') }],
    },
  };
}

/** What every index store must do. `open` gives an empty one. */
export function libraryStoreSuite(name: string, open: () => Promise<LibraryStore>): void {
  describe(`library store ${name}`, () => {
    let store: LibraryStore;
    beforeEach(async () => {
      store = await open();
      await store.putRoot({ rootId: 'a', kind: 'folder', label: 'A', path: '/a', approvedAtMs: 1 });
    });

    it('[SE-11] what was put is found by term, with its page and passages', async () => {
      await store.putFiles('a', [entry('one.md', ['apple', '停止']), entry('two.md', ['apple'])]);
      const postings = await store.postings(['apple', '停止', 'apple', 'nothing']);
      expect(postings).toHaveLength(3);
      expect(postings[0]).toMatchObject({ headings: 1, body: 2, title: 0, tableHeaders: 0 });
      const ids = postings.filter(({ term }) => term === '停止').map(({ pageId }) => pageId);
      expect(await store.summaries(ids)).toMatchObject([{ rootId: 'a', path: 'one.md', lengths: LENGTHS }]);
      expect([...(await store.passages(ids)).values()][0]?.[0]?.text).toBe('apple 停止');
      expect(await store.corpus()).toEqual({ pages: 2, averages: LENGTHS });
    });

    it('[SE-11] a file that is put again replaces its old postings', async () => {
      await store.putFiles('a', [entry('one.md', ['old', 'both'])]);
      await store.putFiles('a', [entry('one.md', ['new', 'both'])]);
      expect((await store.postings(['old', 'new', 'both'])).map(({ term }) => term).toSorted()).toEqual([
        'both',
        'new',
      ]);
      expect(await store.files('a')).toHaveLength(1);
    });

    it('[SE-11] removed files and removed roots leave nothing behind', async () => {
      await store.putFiles('a', [entry('one.md', ['apple']), entry('two.md', ['apple'])]);
      await store.removeFiles('a', ['one.md', 'never there']);
      expect((await store.files('a')).map(({ path }) => path)).toEqual(['two.md']);
      expect(await store.postings(['apple'])).toHaveLength(1);
      await store.removeRoot('a');
      expect([await store.roots(), await store.postings(['apple']), await store.files('a')]).toEqual([[], [], []]);
    });

    it('[SE-11] skipped files are remembered with their reason and are no pages', async () => {
      const state = { ...entry('bad.pdf', []).state, hash: '', skipped: 'damaged\u0000 file' };
      await store.putFiles('a', [{ state, page: null }]);
      expect((await store.files('a'))[0]?.skipped).toMatch(/^damaged/);
      expect((await store.corpus()).pages).toBe(0);
    });

    it('[SE-11] a touched file keeps its postings', async () => {
      const one = entry('one.md', ['apple']);
      await store.putFiles('a', [one]);
      await store.touchFiles('a', [{ ...one.state, modifiedMs: 1_800_000_000_000, rules: 'r2' }]);
      expect((await store.files('a'))[0]).toMatchObject({ modifiedMs: 1_800_000_000_000, rules: 'r2' });
      expect(await store.postings(['apple'])).toHaveLength(1);
    });

    it('[SE-11] hostile names, titles and terms are stored as they are, or made storable', async () => {
      const names = [
        'a\nb.md',
        '%00.md',
        '"quote\'.md',
        '..evil.md',
        '😀.md',
        `${'x'.repeat(900)}.md`,
        '{a,b}.md',
        '\\.md',
      ];
      await store.putFiles(
        'a',
        names.map((path) => entry(path, ['shared', `"${path}`], `t\u0000${path}\ud800`)),
      );
      expect((await store.files('a')).map(({ path }) => path).toSorted()).toEqual(names.toSorted());
      expect(await store.postings(['shared'])).toHaveLength(names.length);
    });
  });
}
