import type { ReadPage } from '#contracts/research/page.ts';

/**
 * A reading that was begun while the page was still waited for. It counts only when nothing of the document has changed since:
 * otherwise the page is read anew.
 */
export type Draft = {
  readonly generation: string;
  readonly changes: number;
  /** Null where it failed, or where the document holds what changes are not counted in (frames, shadow trees). */
  readonly reading: Promise<ReadPage | null>;
};
