import { setImmediate as nextTurn } from 'node:timers/promises';
import { toFailure } from '#contracts/errors.ts';
import type { IndexProgress, LibraryRoot } from '#contracts/ports/library.ts';
import type { FileEntry, FileState, LibraryStore, PageIndex } from '#contracts/ports/library-store.ts';
import type { RawPage } from '#contracts/ports/reader.ts';
import { acceptsFile } from './builtin-roots.ts';
import { readFileBelow, sha256, unzipped } from './file-content.ts';
import { formatOfName, titleFromPath } from './file-formats.ts';
import { walkFiles, type FoundFile, type RefusedFile } from './file-walk.ts';

/** Bytes of a page → what is kept of it. Lives behind a function so that it can run on another thread. */
export type PageIndexer = {
  /** Names every rule that the result depends on. */
  readonly rules: string;
  index(page: RawPage, fallbackTitle: string): Promise<PageIndex>;
};

export type RootIndexOptions = {
  readonly store: LibraryStore;
  readonly indexer: PageIndexer;
  readonly signal: AbortSignal;
  readonly report: (progress: IndexProgress) => void;
};

const BATCH_FILES = 16;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Brings the index of one root up to its files: reads what is new or changed, forgets what is gone. */
export async function indexRoot(root: LibraryRoot, options: RootIndexOptions): Promise<IndexProgress> {
  return new RootIndex(root, options).run();
}

class RootIndex {
  private readonly root: LibraryRoot;
  private readonly options: RootIndexOptions;
  private readonly failed: { path: string; reason: string }[] = [];
  private pages = 0;
  private changed = 0;
  private batch: FileEntry[] = [];
  private touched: FileState[] = [];
  private batchBytes = 0;

  constructor(root: LibraryRoot, options: RootIndexOptions) {
    this.root = root;
    this.options = options;
  }

  async run(): Promise<IndexProgress> {
    const { store, signal } = this.options;
    const known = new Map((await store.files(this.root.rootId)).map((state) => [state.path, state]));
    const { files, refused } = await walkFiles(this.root.path, (path) => acceptsFile(this.root.kind, path), signal);
    this.noteRefused(refused);
    this.report('indexing');
    for (const file of files) {
      signal.throwIfAborted();
      await this.visit(file, known.get(file.path));
      known.delete(file.path);
    }
    await this.flush();
    if (known.size > 0) await store.removeFiles(this.root.rootId, [...known.keys()]);
    return this.report('ready');
  }

  private noteRefused(refused: readonly RefusedFile[]): void {
    this.failed.push(...refused);
  }

  private async visit(file: FoundFile, known: FileState | undefined): Promise<void> {
    const { rules } = this.options.indexer;
    if (known !== undefined && known.rules === rules && isSameFile(file, known)) {
      this.count(known);
      return;
    }
    const { isKnown, entry } = await this.read(file, known);
    this.count(entry.state);
    if (isKnown) this.touched.push(entry.state);
    else {
      this.changed += 1;
      this.batch.push(entry);
    }
    this.batchBytes += file.bytes;
    if (this.batch.length + this.touched.length >= BATCH_FILES || this.batchBytes >= BATCH_BYTES) await this.flush();
    // Lets requests in between two pages.
    await nextTurn();
  }

  private async read(file: FoundFile, known: FileState | undefined): Promise<{ isKnown: boolean; entry: FileEntry }> {
    const { indexer } = this.options;
    const base = { path: file.path, bytes: file.bytes, modifiedMs: file.modifiedMs, rules: indexer.rules };
    let hash = '';
    try {
      const format = formatOfName(file.path);
      const stored = await readFileBelow(this.root.path, file.path);
      hash = sha256(stored);
      if (known?.hash === hash && known.rules === indexer.rules) {
        return { isKnown: true, entry: { state: { ...base, hash, skipped: known.skipped }, page: null } };
      }
      const bytes = format?.isGzip === true ? await unzipped(stored) : stored;
      const raw = { bytes, contentType: format?.contentType ?? 'text/plain', url: `file:///${file.path}` };
      const page = await indexer.index(raw, titleFromPath(file.path));
      return { isKnown: false, entry: { state: { ...base, hash, skipped: null }, page } };
    } catch (error) {
      this.options.signal.throwIfAborted();
      const skipped = toFailure(error, 'page.unreadable').message.slice(0, 500);
      return { isKnown: false, entry: { state: { ...base, hash, skipped }, page: null } };
    }
  }

  private count(state: FileState): void {
    if (state.skipped === null) this.pages += 1;
    else this.failed.push({ path: state.path, reason: state.skipped });
  }

  private async flush(): Promise<void> {
    const { store } = this.options;
    if (this.batch.length > 0) await store.putFiles(this.root.rootId, this.batch);
    if (this.touched.length > 0) await store.touchFiles(this.root.rootId, this.touched);
    this.batch = [];
    this.touched = [];
    this.batchBytes = 0;
    this.report('indexing');
  }

  private report(state: 'indexing' | 'ready'): IndexProgress {
    const progress = {
      rootId: this.root.rootId,
      pages: this.pages,
      changed: this.changed,
      failed: this.failed.slice(0, 1000),
      state,
    };
    this.options.report(progress);
    return progress;
  }
}

function isSameFile(file: FoundFile, known: FileState): boolean {
  return file.bytes === known.bytes && file.modifiedMs === known.modifiedMs;
}
