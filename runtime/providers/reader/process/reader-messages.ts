import type { Failure } from '#contracts/errors.ts';
import type { RawPage } from '#contracts/ports/reader.ts';
import type { ReadPage } from '#contracts/research/page.ts';

/** Between the product and its reading process; numbers pair an answer with its question. */
export type ReadQuestion = { readonly id: number; readonly page: RawPage };
export type ReadAnswer =
  { readonly id: number; readonly page: ReadPage } | { readonly id: number; readonly failure: Failure };
