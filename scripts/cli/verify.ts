import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { verifyPackage } from '#actors/artifact/verify-package.ts';
import { PackageManifest } from '#contracts/research/package.ts';

const MAX_FILE_BYTES = 200 * 1024 * 1024;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** `npm run cli -- verify PACKAGE`: exit code 0 when everything holds, 1 when not, 2 when asked wrongly. Needs no network and no database. */
export async function runVerify(args: readonly string[]): Promise<number> {
  const isJson = args.includes('--json');
  const [folder, ...more] = args.filter((arg) => arg !== '--json');
  if (folder === undefined || more.length > 0 || folder.startsWith('--')) {
    process.stderr.write('usage: npm run cli -- verify FOLDER [--json]   (the folder that holds manifest.json)\n');
    return 2;
  }
  const files = await readPackage(resolve(folder));
  if (typeof files === 'string') return report([files], null, isJson);
  const manifest = readManifest(files);
  return report(verifyPackage(files, sha256), manifest, isJson);
}

async function readPackage(folder: string): Promise<Map<string, Uint8Array> | string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (entries === null) return `${folder} is not a folder that can be read`;
  const files = new Map<string, Uint8Array>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    if ((await stat(path)).size > MAX_FILE_BYTES) return `${entry.name} is larger than any package file may be`;
    files.set(entry.name, await readFile(path));
  }
  return files;
}

function readManifest(files: ReadonlyMap<string, Uint8Array>): PackageManifest | null {
  try {
    return PackageManifest.parse(JSON.parse(new TextDecoder().decode(files.get('manifest.json'))));
  } catch {
    return null;
  }
}

function report(problems: readonly string[], manifest: PackageManifest | null, isJson: boolean): number {
  const isWhole = problems.length === 0;
  if (isJson) {
    process.stdout.write(`${JSON.stringify({ valid: isWhole, problems, counts: manifest?.counts ?? null })}\n`);
  } else if (isWhole && manifest !== null) {
    const { sources, evidence, assertions } = manifest.counts;
    process.stdout.write(
      `valid: ${manifest.files.length} files, ${evidence} quotes in ${sources} sources, ${assertions} assertions; sealed ${manifest.sealed_time}\n`,
    );
  } else {
    process.stdout.write(`NOT valid:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n`);
  }
  return isWhole ? 0 : 1;
}
