import type { LibraryRoot } from './library.ts';

/** How often a term stands in each field of a page. */
export type PostingCounts = {
  readonly title: number;
  readonly headings: number;
  readonly tableHeaders: number;
  readonly body: number;
};

/** Terms in each field of a page. */
export type FieldLengths = PostingCounts;

/** A block of a page, for finding the best place in it: its own terms, the terms of what surrounds it, and its words for the snippet. */
export type Passage = { readonly terms: string; readonly context: string; readonly text: string };

/** What one file came to: a page of the index, or the reason why it is none. */
export type FileState = {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** SHA-256 of the bytes; empty for a file that was not read. */
  readonly hash: string;
  /** Versions of all rules that the index depends on; other rules, another index. */
  readonly rules: string;
  readonly skipped: string | null;
};

export type PageIndex = {
  readonly title: string;
  readonly language: string;
  readonly lengths: FieldLengths;
  readonly postings: ReadonlyMap<string, PostingCounts>;
  readonly passages: readonly Passage[];
};

/** `page` is null for a skipped file. */
export type FileEntry = { readonly state: FileState; readonly page: PageIndex | null };

export type Posting = PostingCounts & { readonly term: string; readonly pageId: string };

export type PageSummary = {
  readonly pageId: string;
  readonly rootId: string;
  readonly path: string;
  readonly title: string;
  readonly language: string;
  readonly lengths: FieldLengths;
};

export type Corpus = { readonly pages: number; readonly averages: FieldLengths };

/** The index of the built-in library. Paths are relative to their root, parted by `/`. Throws `store.unavailable`. */
export interface LibraryStore {
  roots(): Promise<readonly LibraryRoot[]>;
  /** Adds the root, or replaces the one of the same id. */
  putRoot(root: LibraryRoot): Promise<void>;
  /** Removes the root and all that was indexed of it. */
  removeRoot(rootId: string): Promise<void>;
  files(rootId: string): Promise<readonly FileState[]>;
  /** Adds files or replaces them, all or none. */
  putFiles(rootId: string, entries: readonly FileEntry[]): Promise<void>;
  /** The content is the same, size or time are not. */
  touchFiles(rootId: string, states: readonly FileState[]): Promise<void>;
  removeFiles(rootId: string, paths: readonly string[]): Promise<void>;
  corpus(): Promise<Corpus>;
  postings(terms: readonly string[]): Promise<readonly Posting[]>;
  summaries(pageIds: readonly string[]): Promise<readonly PageSummary[]>;
  passages(pageIds: readonly string[]): Promise<ReadonlyMap<string, readonly Passage[]>>;
}
