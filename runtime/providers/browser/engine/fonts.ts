import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/gu, (character) => `&#${character.charCodeAt(0)};`);
}

/** A font configuration with Chinese glyphs, whatever fonts the machine has. Returns its path. */
export function writeFontConfiguration(folder: string): string {
  const fonts = join(dirname(createRequire(import.meta.url).resolve('@embedpdf/fonts-sc')), '../fonts');
  mkdirSync(join(folder, 'font-cache'), { recursive: true });
  const path = join(folder, 'fonts.conf');
  const folders = [fonts, '/usr/share/fonts', '/usr/local/share/fonts']
    .map((dir) => `<dir>${escapeXml(dir)}</dir>`)
    .join('');
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders}<cachedir>${escapeXml(join(folder, 'font-cache'))}</cachedir></fontconfig>\n`,
  );
  return path;
}
