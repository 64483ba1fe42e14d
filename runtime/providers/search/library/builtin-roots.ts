import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LibraryRoot } from '#contracts/ports/library.ts';

export type BuiltinPlaces = {
  /** Folder of the product's own help pages. */
  readonly helpFolder: string;
  /** The running Node. */
  readonly execPath: string;
  /** npm's entry file when npm started this process, else undefined. */
  readonly npmExecPath: string | undefined;
};

export type BuiltinRoot = Omit<LibraryRoot, 'approvedAtMs'>;

/** Documentation that is on this machine anyway: the product's help, npm's beside the running npm, Node's where it is installed. */
export async function findBuiltinRoots(places: BuiltinPlaces): Promise<BuiltinRoot[]> {
  const roots: (BuiltinRoot | null)[] = [
    await firstFolder('help', 'help', 'Yunsou help', [places.helpFolder]),
    await firstFolder('npm-docs', 'npm_docs', 'npm documentation', npmFolders(places)),
    await firstFolder('node-docs', 'node_docs', 'Node.js documentation', nodeFolders(places)),
  ];
  return roots.filter((root) => root !== null);
}

function npmFolders({ execPath, npmExecPath }: BuiltinPlaces): string[] {
  const bin = dirname(execPath);
  const packages = [
    // npm-cli.js lies in npm/bin.
    ...(npmExecPath !== undefined && /[/\\]npm[/\\]bin[/\\]/.test(npmExecPath) ? [dirname(dirname(npmExecPath))] : []),
    join(bin, '../lib/node_modules/npm'),
    join(bin, 'node_modules/npm'),
    '/usr/lib/node_modules/npm',
    '/usr/local/lib/node_modules/npm',
    '/usr/share/nodejs/npm',
  ];
  return packages.map((folder) => join(folder, 'docs/output'));
}

function nodeFolders({ execPath }: BuiltinPlaces): string[] {
  const prefix = dirname(dirname(execPath));
  return [
    join(prefix, 'share/doc/nodejs/api'),
    join(prefix, 'share/doc/node/api'),
    join(prefix, 'share/doc/node'),
    join(prefix, 'doc/api'),
    '/usr/share/doc/nodejs/api',
  ];
}

async function firstFolder(
  rootId: string,
  kind: LibraryRoot['kind'],
  label: string,
  folders: readonly string[],
): Promise<BuiltinRoot | null> {
  for (const folder of folders) {
    const found = await stat(folder).catch(() => null);
    if (found?.isDirectory() === true) return { rootId, kind, label, path: await realpath(folder) };
  }
  return null;
}

/** Node's documentation holds every page a second time in `all.html`, and a machine-readable copy of each. */
export function acceptsFile(kind: LibraryRoot['kind'], path: string): boolean {
  if (kind === 'node_docs') return /\.html$/i.test(path) && !/(?:^|\/)all\.html$/i.test(path);
  if (kind === 'npm_docs' || kind === 'help') return /\.html$/i.test(path);
  return true;
}
