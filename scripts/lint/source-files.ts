import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDERS } from './import-table.ts';

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'fixtures']);

function walk(root: string, folder: string, found: string[]): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name)) walk(root, path, found);
    if (entry.isFile()) found.push(path);
  }
}

/** Paths of the project's own files, from the root, with forward slashes; packages, builds and fixtures left out. */
export function listSourceFiles(root: string, extension: RegExp): string[] {
  const found: string[] = [];
  const present = new Set(readdirSync(root));
  for (const folder of FOLDERS) if (present.has(folder)) walk(root, folder, found);
  return found.filter((path) => extension.test(path)).sort();
}
