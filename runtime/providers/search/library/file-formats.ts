export type FileKind = 'page' | 'asset';
export type FileFormat = { readonly kind: FileKind; readonly contentType: string; readonly isGzip: boolean };

const PAGES: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  pdf: 'application/pdf',
};

/** What a page may need besides itself. */
const ASSETS: Readonly<Record<string, string>> = {
  css: 'text/css',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
};

/** What the library does with a file of this name; null: nothing. */
export function formatOfName(name: string): FileFormat | null {
  const lower = name.toLowerCase();
  const isGzip = lower.endsWith('.gz');
  const plain = isGzip ? lower.slice(0, -3) : lower;
  const extension = /\.([a-z]+)$/.exec(plain)?.[1] ?? '';
  const page = Object.hasOwn(PAGES, extension) ? PAGES[extension] : undefined;
  if (page !== undefined) return { kind: 'page', contentType: page, isGzip };
  const asset = Object.hasOwn(ASSETS, extension) ? ASSETS[extension] : undefined;
  return asset === undefined || isGzip ? null : { kind: 'asset', contentType: asset, isGzip };
}

/** `guides/npm-ci.html.gz` → `npm ci`: the title of a page that names none. */
export function titleFromPath(path: string): string {
  const name = path.split('/').at(-1) ?? path;
  const stem = name.replace(/\.gz$/i, '').replace(/\.[a-z]+$/i, '');
  return stem.replace(/[-_]+/g, ' ').trim() || name;
}
