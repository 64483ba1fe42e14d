import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fail } from '#contracts/errors.ts';
import type { FormatResult } from '../format-result.ts';
import { TextBuilder } from '../text-builder.ts';
import { finishText, titleFromUrl } from './plain.ts';

/** The members of pdfjs that are used; its own types need the DOM library. */
type PdfItem = {
  readonly str?: string;
  readonly transform?: readonly number[];
  readonly width?: number;
  readonly height?: number;
  readonly hasEOL?: boolean;
};
type PdfPage = { getTextContent(): Promise<{ readonly items: readonly PdfItem[] }>; cleanup(): void };
type PdfDocument = {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ info?: { Title?: unknown } }>;
};
type PdfTask = { readonly promise: Promise<PdfDocument>; destroy(): Promise<void> };
type Pdfjs = { getDocument(source: object): PdfTask; VerbosityLevel: { ERRORS: number } };

const MAX_PAGES = 2000;

type Line = { text: string; y: number; height: number };

function linesOf(items: readonly PdfItem[]): Line[] {
  const lines: Line[] = [];
  let last: { line: Line; right: number } | undefined;
  for (const item of items) {
    const text = item.str ?? '';
    const x = item.transform?.[4] ?? 0;
    const y = item.transform?.[5] ?? 0;
    const height = item.height ?? 0;
    if (text === '') continue;
    if (last !== undefined && Math.abs(last.line.y - y) < Math.max(2, height / 2)) {
      const gap = x - last.right;
      const needsSpace = gap > Math.max(1, height * 0.15) && !/\s$/u.test(last.line.text) && !/^\s/u.test(text);
      last.line.text += (needsSpace ? ' ' : '') + text;
      last.line.height = Math.max(last.line.height, height);
      last.right = x + (item.width ?? 0);
      continue;
    }
    const line = { text, y, height };
    lines.push(line);
    last = { line, right: x + (item.width ?? 0) };
  }
  return lines.filter((line) => line.text.trim() !== '');
}

const CJK_EDGE = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]$/u;

function joinLines(one: string, other: string): string {
  if (/\p{L}-$/u.test(one) && /^\p{Ll}/u.test(other)) return one.slice(0, -1) + other;
  return CJK_EDGE.test(one) ? one + other : `${one} ${other}`;
}

/** Lines nearer than usual make a paragraph; a bigger gap begins a new one. */
function addPage(out: TextBuilder, lines: readonly Line[], page: number): void {
  const heights = lines
    .map((line) => line.height)
    .filter((height) => height > 0)
    .sort((one, other) => one - other);
  const usual = heights[Math.floor(heights.length / 2)] ?? 10;
  let text = '';
  let last: Line | undefined;
  const flush = (): void => {
    const tidy = text.replace(/[\s\u00a0]+/gu, ' ').trim();
    const isHeading = last !== undefined && last.height > usual * 1.25 && tidy.length < 200;
    out.add(isHeading ? { kind: 'heading', text: tidy, level: 2, page } : { kind: 'paragraph', text: tidy, page });
    text = '';
  };
  for (const line of lines) {
    const isNear = last !== undefined && Math.abs(last.y - line.y) < Math.max(last.height, line.height, 4) * 1.7;
    const isSame = last !== undefined && Math.abs(last.height - line.height) < usual * 0.2;
    if (text !== '' && !(isNear && isSame)) flush();
    text = text === '' ? line.text : joinLines(text, line.text);
    last = line;
  }
  flush();
}

const { stringify, parse } = JSON;
const push = Object.getOwnPropertyDescriptor(Array.prototype, 'push') ?? {};

/**
 * The build of pdfjs for Node brings core-js, once with itself and once with its worker, and core-js replaces these for the
 * whole process: JSON.stringify then takes fifty times as long.
 */
function restoreNatives(): void {
  Object.assign(JSON, { stringify, parse });
  Object.defineProperty(Array.prototype, 'push', push);
}

async function loadPdfjs(): Promise<{ pdfjs: Pdfjs; folder: string }> {
  // Loaded only when a PDF comes: it costs 40 MB and 0.2 s.
  const pdfjs = (await import('pdfjs-dist/legacy/build/pdf.mjs')) as unknown as Pdfjs;
  restoreNatives();
  return { pdfjs, folder: join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), '/') };
}

async function readPages(document: PdfDocument, out: TextBuilder): Promise<void> {
  for (let page = 1; page <= Math.min(document.numPages, MAX_PAGES); page += 1) {
    const loaded = await document.getPage(page);
    addPage(out, linesOf((await loaded.getTextContent()).items), page);
    loaded.cleanup();
  }
}

/** Text of a PDF with page numbers. A scan without text is said to be unread, not empty. */
export async function readPdf(bytes: Uint8Array, url: string): Promise<FormatResult> {
  const { pdfjs, folder } = await loadPdfjs();
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: join(folder, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(folder, 'standard_fonts/'),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    restoreNatives();
    const out = new TextBuilder();
    await readPages(document, out);
    const stated = (await document.getMetadata()).info?.Title;
    const heading = out.blocks.find((block) => block.kind === 'heading')?.text;
    const title = (typeof stated === 'string' ? stated.trim() : '') || heading || titleFromUrl(url);
    const result = finishText(out, title);
    const unread = [...result.unread];
    if (document.numPages > MAX_PAGES) unread.push({ what: `pages after ${MAX_PAGES}`, reason: 'too many pages' });
    if (out.text === '')
      unread.push({ what: `${document.numPages} page(s)`, reason: 'no text layer: scanned pictures are not read' });
    return { ...result, page_kind: out.text === '' ? 'empty' : 'pdf', unread };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return fail('page.unreadable', `The PDF could not be read: ${reason.slice(0, 200)}`, { cause });
  } finally {
    await task.destroy();
  }
}
