// Library
//
// The folders that may be read, and their index.
// Owns:     which roots are approved, one indexing run at a time, progress.
// Owns not: the index itself (LibraryStore), ranking (LibraryProvider), serving (LibrarySite).
//
//   LB1  A file is read only below an approved root.
//   LB2  A root is indexed by one run at a time; asking again while it waits is the same run.
//   LB3  A failed root leaves the others alone and its old index in place.
import { createHash } from 'node:crypto';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fail, toFailure } from '#contracts/errors.ts';
import type { Clock } from '#contracts/ports/clock.ts';
import type { IndexProgress, LibraryPort, LibraryRoot } from '#contracts/ports/library.ts';
import type { LibraryStore } from '#contracts/ports/library-store.ts';
import { findBuiltinRoots, type BuiltinPlaces } from './builtin-roots.ts';
import { indexRoot, type PageIndexer } from './root-index.ts';

export type LibraryOptions = {
  readonly store: LibraryStore;
  readonly indexer: PageIndexer;
  readonly clock: Clock;
  /** null: no built-in roots. */
  readonly builtins: BuiltinPlaces | null;
  /** Called with every change; for the screen. */
  readonly onProgress?: (progress: IndexProgress) => void;
};

export interface Library extends LibraryPort {
  /** Adds the built-in roots and indexes everything in the background. */
  start(): Promise<void>;
  /** The approved root of this id, without asking the database. */
  root(rootId: string): LibraryRoot | null;
  stop(): Promise<void>;
}

export function createLibrary(options: LibraryOptions): Library {
  return new BuiltinLibrary(options);
}

class BuiltinLibrary implements Library {
  private readonly options: LibraryOptions;
  private readonly known = new Map<string, LibraryRoot>();
  private readonly progressOf = new Map<string, IndexProgress>();
  private readonly runs = new Map<string, Promise<IndexProgress>>();
  private readonly stopping = new AbortController();
  private readonly withdrawn = new Map<string, AbortController>();
  private queue: Promise<unknown> = Promise.resolve();
  private loaded: Promise<void> | null = null;

  constructor(options: LibraryOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    await this.load();
    const { builtins, store, clock } = this.options;
    if (builtins !== null) {
      const found = await findBuiltinRoots(builtins);
      for (const root of found) {
        const approved = { ...root, approvedAtMs: this.known.get(root.rootId)?.approvedAtMs ?? clock.nowMs() };
        await store.putRoot(approved);
        this.known.set(root.rootId, approved);
      }
      await this.forgetMissingBuiltins(new Set(found.map((root) => root.rootId)));
    }
    for (const rootId of this.known.keys()) void this.run(rootId);
  }

  root(rootId: string): LibraryRoot | null {
    return this.known.get(rootId) ?? null;
  }

  async roots(): Promise<readonly LibraryRoot[]> {
    await this.load();
    return [...this.known.values()];
  }

  async approve(path: string, label?: string): Promise<LibraryRoot> {
    await this.load();
    const real = await readableFolder(path);
    const same = [...this.known.values()].find((root) => root.path === real);
    if (same !== undefined) {
      void this.run(same.rootId);
      return same;
    }
    const name = (label ?? basename(real)).trim().slice(0, 200);
    const root: LibraryRoot = {
      rootId: `folder-${createHash('sha256').update(real).digest('hex').slice(0, 16)}`,
      kind: 'folder',
      label: name === '' ? real : name,
      path: real,
      approvedAtMs: this.options.clock.nowMs(),
    };
    await this.options.store.putRoot(root);
    this.known.set(root.rootId, root);
    void this.run(root.rootId);
    return root;
  }

  async withdraw(rootId: string): Promise<void> {
    await this.load();
    this.known.delete(rootId);
    this.withdrawn.get(rootId)?.abort();
    await this.runs.get(rootId)?.catch(() => undefined);
    this.progressOf.delete(rootId);
    await this.options.store.removeRoot(rootId);
  }

  async reindex(rootId: string): Promise<IndexProgress> {
    await this.load();
    if (!this.known.has(rootId))
      return fail('library.not_approved', `No approved folder has the id ${rootId.slice(0, 80)}.`);
    return this.run(rootId);
  }

  async progress(): Promise<readonly IndexProgress[]> {
    await this.load();
    return [...this.known.keys()].map((rootId) => this.progressOf.get(rootId) ?? emptyProgress(rootId, 'waiting'));
  }

  async ready(): Promise<void> {
    await this.load();
    await Promise.all(this.runs.values());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.runs.values());
  }

  private load(): Promise<void> {
    this.loaded ??= this.options.store.roots().then(
      (roots) => {
        for (const root of roots) this.known.set(root.rootId, root);
      },
      (error: unknown) => {
        this.loaded = null;
        throw error;
      },
    );
    return this.loaded;
  }

  /** A built-in folder that is gone (npm was updated to another place) leaves the index. */
  private async forgetMissingBuiltins(found: ReadonlySet<string>): Promise<void> {
    for (const root of [...this.known.values()]) {
      if (root.kind !== 'folder' && !found.has(root.rootId)) await this.withdraw(root.rootId);
    }
  }

  /** LB2. Never rejects: a failure is a state of the progress. */
  private run(rootId: string): Promise<IndexProgress> {
    const waiting = this.runs.get(rootId);
    if (waiting !== undefined) return waiting;
    this.note(emptyProgress(rootId, 'waiting'));
    const run = this.queue.then(() => this.index(rootId)).finally(() => this.runs.delete(rootId));
    this.queue = run;
    this.runs.set(rootId, run);
    return run;
  }

  private async index(rootId: string): Promise<IndexProgress> {
    const root = this.known.get(rootId);
    if (root === undefined) return emptyProgress(rootId, 'failed');
    const withdrawal = new AbortController();
    this.withdrawn.set(rootId, withdrawal);
    const { store, indexer } = this.options;
    const signal = AbortSignal.any([this.stopping.signal, withdrawal.signal]);
    try {
      return await indexRoot(root, { store, indexer, signal, report: (progress) => this.note(progress) });
    } catch (error) {
      const last = this.progressOf.get(rootId) ?? emptyProgress(rootId, 'failed');
      const message = signal.aborted ? 'Indexing was stopped.' : toFailure(error, 'library.unreadable').message;
      const progress: IndexProgress = { ...last, state: 'failed', message };
      this.note(progress);
      return progress;
    } finally {
      this.withdrawn.delete(rootId);
    }
  }

  private note(progress: IndexProgress): void {
    if (!this.known.has(progress.rootId)) return;
    this.progressOf.set(progress.rootId, progress);
    this.options.onProgress?.(progress);
  }
}

function emptyProgress(rootId: string, state: IndexProgress['state']): IndexProgress {
  return { rootId, pages: 0, changed: 0, failed: [], state };
}

async function readableFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    const found = await stat(real);
    if (!found.isDirectory()) return fail('library.unreadable', 'The path is a file; a folder is needed.');
    await access(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (cause) {
    if (toFailure(cause).code === 'library.unreadable') throw cause;
    return fail('library.unreadable', 'The folder does not exist or cannot be read.', { cause });
  }
}
