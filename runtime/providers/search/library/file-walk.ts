import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { formatOfName } from './file-formats.ts';

export type FoundFile = { readonly path: string; readonly bytes: number; readonly modifiedMs: number };
export type RefusedFile = { readonly path: string; readonly reason: string };
export type Walk = { readonly files: readonly FoundFile[]; readonly refused: readonly RefusedFile[] };

const MAX_FILES = 100_000;
const MAX_DEPTH = 32;
const MAX_PATH_CHARS = 1000;
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.svn', '.hg']);

/**
 * Every page file below `root`, sorted by path. Links that leave the root are refused, folders met twice are entered once.
 * `accept` narrows what is taken. Throws what the file system throws when the root itself cannot be read.
 */
export async function walkFiles(root: string, accept: (path: string) => boolean, signal: AbortSignal): Promise<Walk> {
  const walker = new Walker(await realpath(root), accept, signal);
  await walker.enter('', 0);
  const files = walker.files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { files: dropTwins(files), refused: walker.refused };
}

class Walker {
  readonly files: FoundFile[] = [];
  readonly refused: RefusedFile[] = [];
  private readonly root: string;
  private readonly accept: (path: string) => boolean;
  private readonly signal: AbortSignal;
  private readonly entered = new Set<string>();

  constructor(root: string, accept: (path: string) => boolean, signal: AbortSignal) {
    this.root = root;
    this.accept = accept;
    this.signal = signal;
  }

  async enter(folder: string, depth: number): Promise<void> {
    const real = await realpath(join(this.root, folder));
    if (this.entered.has(real)) return;
    this.entered.add(real);
    for await (const entry of await opendir(real)) {
      this.signal.throwIfAborted();
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.') || SKIPPED_FOLDERS.has(entry.name)) continue;
      try {
        await this.visit(path, depth);
      } catch (error) {
        this.signal.throwIfAborted();
        this.refuse(path, reasonOf(error));
      }
    }
  }

  private async visit(path: string, depth: number): Promise<void> {
    const full = join(this.root, path);
    const link = await lstat(full);
    if (link.isSymbolicLink() && !isInside(this.root, await realpath(full))) {
      this.refuse(path, 'the link leads out of the folder');
      return;
    }
    const target = link.isSymbolicLink() ? await stat(full) : link;
    if (target.isDirectory()) {
      if (depth >= MAX_DEPTH) this.refuse(path, `folders are nested more than ${MAX_DEPTH} deep`);
      else await this.enter(path, depth + 1);
      return;
    }
    if (!target.isFile() || formatOfName(path)?.kind !== 'page' || !this.accept(path)) return;
    if (path.includes('\ufffd') || path.length > MAX_PATH_CHARS) this.refuse(path, 'the file name is no readable text');
    else if (this.files.length >= MAX_FILES) this.refuse(path, `a folder may hold at most ${MAX_FILES} pages`);
    else this.files.push({ path, bytes: target.size, modifiedMs: Math.trunc(target.mtimeMs) });
  }

  private refuse(path: string, reason: string): void {
    if (this.refused.length < 1000) this.refused.push({ path: path.slice(0, MAX_PATH_CHARS), reason });
  }
}

/** True when `path` is the folder or lies in it; both are real paths. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EACCES' || code === 'EPERM') return 'reading it is not permitted';
  if (code === 'ENOENT') return 'it was removed, or the link leads nowhere';
  return code === '' ? 'it could not be read' : `it could not be read (${code})`;
}

/** Documentation often ships one page in several formats side by side; the richest one is the page. */
function dropTwins(files: readonly FoundFile[]): FoundFile[] {
  const html = new Set(files.filter(({ path }) => /\.html?$/i.test(path)).map(({ path }) => stemOf(path)));
  return files.filter(({ path }) => !/\.(?:md|markdown|txt)$/i.test(path) || !html.has(stemOf(path)));
}

function stemOf(path: string): string {
  return path.replace(/\.[a-z]+$/i, '').toLowerCase();
}
