import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

/** What the page's policy forbids in the built page: code or styles that stand in the page itself. */
const FORBIDDEN_IN_PAGE = [/<script(?![^>]*\bsrc=)[^>]*>/i, /\son[a-z]+\s*=/i, /javascript:/i];

/** Builds the client into a temporary folder and looks at what came out. Throws when the page could not work under its policy. */
async function checkClient(root: string): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'yunsou-client-'));
  try {
    await build({
      configFile: resolve(root, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    });
    const page = await readFile(join(outDir, 'index.html'), 'utf8');
    const offending = FORBIDDEN_IN_PAGE.filter((pattern) => pattern.test(page));
    if (offending.length > 0) throw new TypeError(`index.html holds inline code: ${offending.join(', ')}`);
    const scripts = [...page.matchAll(/<script[^>]*\bsrc="\/?([^"]+)"/g)].map((match) => match[1] ?? '');
    if (scripts.length === 0) throw new TypeError('index.html loads no script');
    const sizes = await Promise.all(scripts.map(async (path) => (await stat(join(outDir, path))).size));
    return `client builds: ${scripts.length} scripts, ${Math.round(sizes.reduce((a, b) => a + b, 0) / 1024)} kB`;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

console.log(await checkClient(process.cwd()));
