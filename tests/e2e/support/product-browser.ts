import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { findChromium } from '#runtime/providers/browser/engine/chromium-binary.ts';

/** The Chromium that the product itself uses, with its Chinese fonts, for looking at the product from outside. */
export async function openBrowser(): Promise<{ browser: Browser; close(): Promise<void> }> {
  const fonts = mkdtempSync(join(tmpdir(), 'yunsou-e2e-'));
  // Unpacking takes seconds; every test file of a machine shares it.
  const binary = await findChromium(join(tmpdir(), 'yunsou-e2e-chromium'), process.env['BROWSER_PATH']);
  const { PATH = '', HOME = '/' } = process.env;
  const browser = await chromium.launch({
    executablePath: binary.executable,
    env: { PATH, HOME, LANG: 'C.UTF-8', FONTCONFIG_FILE: onlyOwnFonts(fonts), ...binary.environment },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(fonts, { recursive: true, force: true });
    },
  };
}

/** Pictures must not depend on the fonts of the machine: the one family of the product stands for every sans-serif. */
function onlyOwnFonts(folder: string): string {
  const fonts = join(dirname(createRequire(import.meta.url).resolve('@embedpdf/fonts-sc')), '../fonts');
  mkdirSync(join(folder, 'cache'));
  const path = join(folder, 'fonts.conf');
  const aliases = ['system-ui', 'ui-sans-serif', 'sans-serif'].map(
    (name) =>
      `<alias binding="same"><family>${name}</family><prefer><family>Noto Sans S Chinese</family></prefer></alias>`,
  );
  const mono = '<dir>/usr/share/fonts/truetype/dejavu</dir>';
  const body = `<dir>${fonts}</dir>${mono}<cachedir>${join(folder, 'cache')}</cachedir>${aliases.join('')}`;
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${body}</fontconfig>\n`,
  );
  return path;
}
