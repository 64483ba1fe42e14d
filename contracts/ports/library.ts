export type LibraryRoot = {
  readonly rootId: string;
  readonly kind: 'help' | 'npm_docs' | 'node_docs' | 'folder';
  readonly label: string;
  readonly path: string;
  readonly approvedAtMs: number;
};

export type IndexProgress = {
  readonly rootId: string;
  readonly pages: number;
  readonly changed: number;
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
  readonly state: 'waiting' | 'indexing' | 'ready' | 'failed';
  readonly message?: string;
};

/** The built-in library: folders somebody approved, indexed, served to the browser by an internal site. */
export interface LibraryPort {
  roots(): Promise<readonly LibraryRoot[]>;
  /** Approves a folder and starts indexing. Throws `library.unreadable` when it is no readable folder. Approving twice is one root. */
  approve(path: string, label?: string): Promise<LibraryRoot>;
  /** Forgets the index of a root; files are never touched, source revisions read earlier stay. */
  withdraw(rootId: string): Promise<void>;
  /** Incremental: only files whose size, time or hash changed are read again. */
  reindex(rootId: string): Promise<IndexProgress>;
  progress(): Promise<readonly IndexProgress[]>;
  /** Resolves when every approved root is indexed (or failed). */
  ready(): Promise<void>;
}
