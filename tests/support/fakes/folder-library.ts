import { fail } from '#contracts/errors.ts';
import type { IndexProgress, LibraryPort, LibraryRoot } from '#contracts/ports/library.ts';

/** A library that approves every absolute path and counts how often each root was read; nothing is indexed. */
export class FolderLibrary implements LibraryPort {
  readonly approved = new Map<string, LibraryRoot>();
  readonly readings: string[] = [];

  async roots(): Promise<readonly LibraryRoot[]> {
    return [...this.approved.values()];
  }
  async approve(path: string, label?: string): Promise<LibraryRoot> {
    if (!path.startsWith('/')) fail('library.unreadable', `${JSON.stringify(path)} is not a readable folder`);
    const root = { rootId: `root-${this.approved.size + 1}`, kind: 'folder' as const, path, approvedAtMs: 0 };
    const known = [...this.approved.values()].find((one) => one.path === path);
    const kept = known ?? { ...root, label: label ?? path };
    this.approved.set(kept.rootId, kept);
    return kept;
  }
  async withdraw(rootId: string): Promise<void> {
    this.approved.delete(rootId);
  }
  async reindex(rootId: string): Promise<IndexProgress> {
    this.readings.push(rootId);
    return { rootId, pages: 1, changed: 0, failed: [], state: 'ready' };
  }
  async progress(): Promise<readonly IndexProgress[]> {
    return [...this.approved.keys()].map((rootId) => ({ rootId, pages: 1, changed: 0, failed: [], state: 'ready' }));
  }
  async ready(): Promise<void> {}
}
