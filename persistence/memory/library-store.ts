import type { LibraryRoot } from '#contracts/ports/library.ts';
import type {
  Corpus,
  FieldLengths,
  FileEntry,
  FileState,
  LibraryStore,
  PageIndex,
  PageSummary,
  Passage,
  Posting,
} from '#contracts/ports/library-store.ts';

type StoredFile = { readonly pageId: string; readonly state: FileState; readonly page: PageIndex | null };
type StoredPage = StoredFile & { readonly rootId: string; readonly page: PageIndex };

/** The library's index in maps, for tests and measurements. */
export class MemoryLibraryStore implements LibraryStore {
  private readonly rootsById = new Map<string, LibraryRoot>();
  private readonly filesByRoot = new Map<string, Map<string, StoredFile>>();
  private nextPageId = 1;

  roots(): Promise<readonly LibraryRoot[]> {
    return Promise.resolve([...this.rootsById.values()]);
  }

  putRoot(root: LibraryRoot): Promise<void> {
    this.rootsById.set(root.rootId, root);
    return Promise.resolve();
  }

  removeRoot(rootId: string): Promise<void> {
    this.rootsById.delete(rootId);
    this.filesByRoot.delete(rootId);
    return Promise.resolve();
  }

  files(rootId: string): Promise<readonly FileState[]> {
    return Promise.resolve([...this.folder(rootId).values()].map((file) => file.state));
  }

  putFiles(rootId: string, entries: readonly FileEntry[]): Promise<void> {
    const folder = this.folder(rootId);
    for (const { state, page } of entries) {
      folder.set(state.path, { pageId: String(this.nextPageId), state, page });
      this.nextPageId += 1;
    }
    return Promise.resolve();
  }

  touchFiles(rootId: string, states: readonly FileState[]): Promise<void> {
    const folder = this.folder(rootId);
    for (const state of states) {
      const known = folder.get(state.path);
      if (known !== undefined) folder.set(state.path, { ...known, state });
    }
    return Promise.resolve();
  }

  removeFiles(rootId: string, paths: readonly string[]): Promise<void> {
    for (const path of paths) this.folder(rootId).delete(path);
    return Promise.resolve();
  }

  corpus(): Promise<Corpus> {
    const pages = this.pages();
    const average = (field: keyof FieldLengths): number =>
      pages.length === 0 ? 0 : pages.reduce((sum, { page }) => sum + page.lengths[field], 0) / pages.length;
    return Promise.resolve({
      pages: pages.length,
      averages: {
        title: average('title'),
        headings: average('headings'),
        tableHeaders: average('tableHeaders'),
        body: average('body'),
      },
    });
  }

  postings(terms: readonly string[]): Promise<readonly Posting[]> {
    const found: Posting[] = [];
    for (const { pageId, page } of this.pages()) {
      for (const term of new Set(terms)) {
        const counts = page.postings.get(term);
        if (counts !== undefined) found.push({ term, pageId, ...counts });
      }
    }
    return Promise.resolve(found);
  }

  summaries(pageIds: readonly string[]): Promise<readonly PageSummary[]> {
    return Promise.resolve(
      this.chosen(pageIds).map(({ pageId, rootId, state, page }) => ({
        pageId,
        rootId,
        path: state.path,
        title: page.title,
        language: page.language,
        lengths: page.lengths,
      })),
    );
  }

  passages(pageIds: readonly string[]): Promise<ReadonlyMap<string, readonly Passage[]>> {
    return Promise.resolve(new Map(this.chosen(pageIds).map(({ pageId, page }) => [pageId, page.passages])));
  }

  private folder(rootId: string): Map<string, StoredFile> {
    const known = this.filesByRoot.get(rootId);
    if (known !== undefined) return known;
    const made = new Map<string, StoredFile>();
    this.filesByRoot.set(rootId, made);
    return made;
  }

  private pages(): StoredPage[] {
    const pages: StoredPage[] = [];
    for (const [rootId, folder] of this.filesByRoot) {
      for (const { pageId, state, page } of folder.values())
        if (page !== null) pages.push({ rootId, pageId, state, page });
    }
    return pages;
  }

  private chosen(pageIds: readonly string[]): StoredPage[] {
    const wanted = new Set(pageIds);
    return this.pages().filter(({ pageId }) => wanted.has(pageId));
  }
}
