import { detectLanguage } from '#contracts/text/language.ts';
import type { FormatResult } from '../format-result.ts';
import { chooseLanguage } from '../language.ts';
import { MAX_TEXT_CHARS, TextBuilder } from '../text-builder.ts';

/** The name of a file as a title, when a text has none of its own. */
export function titleFromUrl(url: string): string {
  const path =
    url
      .replace(/[?#].*$/u, '')
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function finishText(out: TextBuilder, title: string, tables: string[][][] = []): FormatResult {
  const isEmpty = out.text === '';
  const unread =
    out.omittedChars > 0
      ? [{ what: `${out.omittedChars} characters`, reason: `truncated after ${MAX_TEXT_CHARS} characters` }]
      : [];
  return {
    title,
    text: out.text,
    language: chooseLanguage('', out.text, detectLanguage(out.text)),
    blocks: out.blocks,
    tables,
    fields: {},
    page_kind: isEmpty ? 'empty' : 'plain',
    ...(isEmpty ? { blocked: 'The page holds no visible text.' } : {}),
    unread,
  };
}

/** Plain text: one block a paragraph, its own line breaks kept. */
export function readPlain(source: string, url: string): FormatResult {
  const out = new TextBuilder();
  const text = source.replace(/\r\n?/gu, '\n').replace(/[\0\u0001-\u0008\u000b\u000c\u000e-\u001f\ufeff]/gu, '');
  for (const part of text.split(/\n[ \t]*\n\s*/u))
    out.add({ kind: 'paragraph', text: part.replace(/[ \t]+$/gmu, '').trim() });
  const first = out.blocks[0]?.text.split('\n')[0] ?? '';
  return finishText(out, first.length > 0 && first.length <= 120 ? first : titleFromUrl(url));
}
