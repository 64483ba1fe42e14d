// LibrarySite
//
// The internal site that the browser reads library pages from.
// Owns:     which file answers a request, its type, charset and safety headers.
// Owns not: the connection (the browser's own proxy calls this handler; no socket is opened).
//
//   LS1  Only files below an approved root are served, by their real place; everything else is 404.
//   LS2  No served page can run a script or reach anything but this site.
import { toFailure } from '#contracts/errors.ts';
import type { LibraryRoot } from '#contracts/ports/library.ts';
import { acceptsFile } from './builtin-roots.ts';
import { readFileBelow, unzipped } from './file-content.ts';
import { formatOfName, titleFromPath, type FileFormat } from './file-formats.ts';
import { placeOf } from './library-address.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderPage, renderPlainText } from './render-text.ts';

export type SiteRequest = { readonly method: string; readonly path: string };
export type SiteResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};
export type LibrarySite = (request: SiteRequest) => Promise<SiteResponse>;

export type RootLookup = { root(rootId: string): LibraryRoot | null | Promise<LibraryRoot | null> };

const SAFETY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; img-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** Request path → file of an approved folder. Never throws. */
export function createLibrarySite({ library }: { readonly library: RootLookup }): LibrarySite {
  return async ({ method, path }) => {
    if (method !== 'GET' && method !== 'HEAD')
      return textResponse(405, 'Only GET and HEAD are answered.', { allow: 'GET, HEAD' });
    const place = placeOf(path);
    const root = place === null ? null : await lookUp(library, place.rootId);
    if (root === 'unknown') return textResponse(503, 'The library cannot be asked now.');
    const format = place === null ? null : formatOfName(place.path);
    if (place === null || root === null || format === null || !isServed(root, place.path, format)) return notFound();
    try {
      const stored = await readFileBelow(root.path, place.path);
      const bytes = format.isGzip ? await unzipped(stored) : stored;
      const response = responseFor(place.path, format, bytes);
      return method === 'HEAD' ? { ...response, body: new Uint8Array() } : response;
    } catch (error) {
      const { code, message } = toFailure(error, 'page.unreadable');
      return code === 'page.too_large' ? textResponse(413, message) : notFound();
    }
  };
}

/** `unknown`: the store that knows does not answer; the page may well exist. */
async function lookUp(library: RootLookup, rootId: string): Promise<LibraryRoot | null | 'unknown'> {
  try {
    return await library.root(rootId);
  } catch {
    return 'unknown';
  }
}

function isServed(root: LibraryRoot, path: string, format: FileFormat): boolean {
  if (path.split('/').some((segment) => segment.startsWith('.'))) return false;
  return format.kind === 'asset' || acceptsFile(root.kind, path);
}

function responseFor(path: string, format: FileFormat, bytes: Uint8Array): SiteResponse {
  const { contentType } = format;
  if (contentType === 'text/markdown' || contentType === 'text/plain') {
    const source = decodeText(bytes);
    const isMarkdown = contentType === 'text/markdown';
    const title = (isMarkdown ? firstHeading(source) : null) ?? titleFromPath(path);
    const html = isMarkdown ? renderMarkdown(source) : renderPlainText(source);
    return respond(200, 'text/html; charset=utf-8', new TextEncoder().encode(renderPage(title, html)));
  }
  return respond(200, withCharset(contentType, bytes), bytes);
}

/** A page of Markdown is called what its first line of first rank says. */
function firstHeading(source: string): string | null {
  const text = /^#[ \t]+(.+?)[ \t#]*$/mu.exec(source)?.[1]?.replace(/[*_`]/gu, '').trim();
  return text === undefined || text === '' ? null : text.slice(0, 300);
}

/** A page that names its charset keeps it; one that is valid UTF-8 and names none is said to be that. */
function withCharset(contentType: string, bytes: Uint8Array): string {
  if (contentType === 'text/css' || contentType === 'image/svg+xml') return `${contentType}; charset=utf-8`;
  if (contentType !== 'text/html' && contentType !== 'application/xhtml+xml') return contentType;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  const declared = /charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ?? /encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1];
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) return contentType;
  return isUtf8(bytes) ? `${contentType}; charset=utf-8` : contentType;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'gb18030').decode(bytes);
}

function notFound(): SiteResponse {
  return textResponse(404, 'The library has no such page.');
}

function textResponse(status: number, text: string, headers: Readonly<Record<string, string>> = {}): SiteResponse {
  return respond(status, 'text/plain; charset=utf-8', new TextEncoder().encode(text), headers);
}

function respond(
  status: number,
  contentType: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): SiteResponse {
  return {
    status,
    headers: { ...SAFETY_HEADERS, ...headers, 'content-type': contentType, 'content-length': String(body.length) },
    body,
  };
}
