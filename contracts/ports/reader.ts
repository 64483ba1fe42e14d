import type { ReadPage } from '../research/page.ts';

export type RawPage = {
  readonly bytes: Uint8Array;
  /** Content-Type header value, or a guess from the file name. */
  readonly contentType: string;
  readonly url: string;
};

/**
 * Bytes of one page → its text with offsets. Pure: no network, same bytes give the same result.
 * HTML, Markdown, plain text and PDF. Throws `page.unreadable`, `page.too_large`.
 */
export interface ReaderPort {
  readonly parserVersion: string;
  read(page: RawPage): Promise<ReadPage>;
}
