import { fail, PlatformError } from '#contracts/errors.ts';
import type { RawPage, ReaderPort } from '#contracts/ports/reader.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import { decodeBytes } from './decode.ts';
import type { FormatResult } from './format-result.ts';
import { readMarkdown } from './formats/markdown.ts';
import { readPdf } from './formats/pdf.ts';
import { readPlain } from './formats/plain.ts';
import { readHtml } from './html/read-html.ts';
import { PARSER_VERSION } from './parser-version.ts';

const MAX_BYTES = 20 * 1024 * 1024;

type Format = 'html' | 'markdown' | 'plain' | 'pdf';

const BINARY = /^(?:image|audio|video|font)\/|zip|octet-stream|msword|officedocument|vnd\.ms-|x-tar|wasm/iu;

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, text.length)) === text;
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  return /^\s*(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype|html|head|body|!--|\?xml|[a-z][\w-]*[\s>])/iu.test(head);
}

function looksBinary(bytes: Uint8Array): boolean {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return false;
  const sample = bytes.subarray(0, 8192);
  const control = sample.reduce(
    (count, byte) => count + (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) ? 1 : 0),
    0,
  );
  return sample.length > 0 && control > sample.length * 0.1;
}

/** The bytes outrank the declared type where they are unmistakable. */
function formatOf({ bytes, contentType, url }: RawPage): Format {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const path = url
    .replace(/[?#].*$/u, '')
    .toLowerCase()
    .replace(/\.gz$/u, '');
  if (startsWith(bytes, '%PDF-') || type === 'application/pdf') return 'pdf';
  if (BINARY.test(type) && type !== 'application/octet-stream')
    return fail('page.unreadable', `Files of the type ${type.slice(0, 80)} are not read.`);
  if (/html|xhtml/u.test(type)) return 'html';
  if (looksBinary(bytes)) return fail('page.unreadable', 'The bytes are no text.');
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown';
  if (/\.(?:md|markdown)$/u.test(path) && !looksLikeHtml(bytes)) return 'markdown';
  if (type === 'text/plain') return 'plain';
  if (/\.(?:txt|text|log)$/u.test(path)) return 'plain';
  return looksLikeHtml(bytes) || type.includes('xml') ? 'html' : 'plain';
}

async function readFormat(page: RawPage): Promise<FormatResult> {
  const format = formatOf(page);
  if (format === 'pdf') return readPdf(page.bytes, page.url);
  const { text } = decodeBytes(page.bytes, page.contentType);
  if (format === 'html') return readHtml(text, page.url);
  return format === 'markdown' ? readMarkdown(text, page.url) : readPlain(text, page.url);
}

/** Reads one page. Same bytes, type and url give the same result. */
export function createReader(): ReaderPort {
  return {
    parserVersion: PARSER_VERSION,
    async read(page: RawPage): Promise<ReadPage> {
      if (page.bytes.length > MAX_BYTES)
        fail('page.too_large', `The page has ${page.bytes.length} bytes; at most ${MAX_BYTES} are read.`);
      try {
        return { ...(await readFormat(page)), parser_version: PARSER_VERSION };
      } catch (cause) {
        if (cause instanceof PlatformError) throw cause;
        const reason = cause instanceof Error ? cause.message : String(cause);
        return fail('page.unreadable', `The page could not be read: ${reason.slice(0, 200)}`, { cause });
      }
    },
  };
}
