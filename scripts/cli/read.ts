import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { toFailure } from '#contracts/errors.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import type { ReaderPort } from '#contracts/ports/reader.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const USAGE = `usage: read --file FILE [--url URL] [--json]
       read --batch LIST.jsonl [--json]     lines: {"id", "file", "url"}
`;
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  md: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  pdf: 'application/pdf',
};

type Options = { file: string | undefined; url: string | undefined; batch: string | undefined; json: boolean };

function typeOfFile(file: string): string {
  return TYPES[/\.([a-z0-9]+)$/iu.exec(file.replace(/\.gz$/iu, ''))?.[1]?.toLowerCase() ?? ''] ?? '';
}

async function readOne(reader: ReaderPort, file: string, url: string): Promise<ReadPage> {
  const stored = await readFile(file);
  const isPacked = stored[0] === 0x1f && stored[1] === 0x8b;
  const bytes = isPacked ? gunzipSync(stored, { maxOutputLength: MAX_UNPACKED_BYTES }) : stored;
  return reader.read({ bytes, contentType: typeOfFile(file), url });
}

function write(text: string): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(text, () => resolve()));
}

function readable(page: ReadPage): string {
  const head = [
    page.title,
    `${page.page_kind} · ${page.language}${page.blocked === undefined ? '' : ` · blocked: ${page.blocked}`}`,
  ];
  return `${head.join('\n')}\n\n${page.text}\n`;
}

function show(record: ReadPage & { id?: string }, json: boolean): Promise<void> {
  return write(json ? `${JSON.stringify(record)}\n` : readable(record));
}

type BatchLine = { readonly id: string; readonly file: string; readonly url: string };

function parseLine(line: string): BatchLine {
  const value = JSON.parse(line) as Partial<Record<string, unknown>> | null;
  if (value === null || typeof value !== 'object') throw new Error('expected an object {id, file, url}');
  const { id, file, url } = value;
  if (typeof file !== 'string' || file === '') throw new Error('"file" must be the path of a page');
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    file,
    url: typeof url === 'string' ? url : '',
  };
}

function idOf(line: string): string {
  try {
    const { id } = JSON.parse(line) as { id?: unknown };
    return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  } catch {
    return '';
  }
}

async function runBatch(reader: ReaderPort, list: string, json: boolean): Promise<void> {
  const lines = (await readFile(list, 'utf8')).split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    try {
      const { id, file, url } = parseLine(line);
      await show({ id, ...(await readOne(reader, file, url)) }, json);
    } catch (error) {
      const { code, message } = toFailure(error, 'page.unreadable');
      await write(`${JSON.stringify({ id: idOf(line) || `line ${index + 1}`, error: `${code}: ${message}` })}\n`);
    }
  }
}

function parseOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        file: { type: 'string' },
        url: { type: 'string' },
        batch: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const { file, url, batch, json } = values;
    if ((file === undefined) === (batch === undefined)) return undefined;
    return { file, url, batch, json };
  } catch {
    return undefined;
  }
}

/** `cli read`: the page reader alone. 0 done (a batch also with failed lines), 2 bad usage, 1 the page or the list cannot be read. */
export async function runRead(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if (options === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const reader = createReader();
  try {
    if (options.batch !== undefined) await runBatch(reader, options.batch, options.json);
    else if (options.file !== undefined)
      await show(await readOne(reader, options.file, options.url ?? ''), options.json);
    return 0;
  } catch (error) {
    const { code, message } = toFailure(error, 'page.unreadable');
    process.stderr.write(`${code}: ${message}\n`);
    return 1;
  }
}
