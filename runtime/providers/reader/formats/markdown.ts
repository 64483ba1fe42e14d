import type { FormatResult } from '../format-result.ts';
import { TextBuilder } from '../text-builder.ts';
import { finishText, titleFromUrl } from './plain.ts';

/** Inline marks go, their words stay. */
function plainInline(source: string): string {
  return source
    .replace(/!\[([^\][]{0,1000})\]\([^()\s]{0,2000}[^)]{0,500}\)/gu, '$1')
    .replace(/\[([^\][]{1,1000})\]\((?:[^()]|\([^()]{0,500}\)){0,2000}\)/gu, '$1')
    .replace(/\[([^\][]{1,1000})\]\[[^\][]{0,500}\]/gu, '$1')
    .replace(/<(https?:[^>\s]+)>/gu, '$1')
    .replace(/<\/?[a-z][^>]{0,300}>/giu, '')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/gu, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/gu, '$1')
    .replace(/(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)/gu, '$1')
    .replace(/`+([^`]+)`+/gu, '$1')
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>])/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
}

function cells(line: string): string[] {
  const inner = line.trim().replace(/^\||(?<!\\)\|$/gu, '');
  return inner.split(/(?<!\\)\|/u).map(plainInline);
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})/u;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u;

class MarkdownReader {
  readonly out = new TextBuilder();
  readonly tables: string[][][] = [];
  title = '';
  private paragraph: string[] = [];
  private kind: 'paragraph' | 'list_item' | 'quote' = 'paragraph';
  private readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  private flush(): void {
    this.out.add({ kind: this.kind, text: plainInline(this.paragraph.join(' ')) });
    this.paragraph = [];
    this.kind = 'paragraph';
  }

  private heading(text: string, level: number): void {
    this.flush();
    const plain = plainInline(text);
    if (this.title === '') this.title = plain;
    this.out.add({ kind: 'heading', text: plain, level });
  }

  private code(start: number, mark: string): number {
    this.flush();
    let end = start + 1;
    while (end < this.lines.length && !this.lines[end]?.trim().startsWith(mark)) end += 1;
    this.out.add({
      kind: 'code',
      text: this.lines
        .slice(start + 1, end)
        .join('\n')
        .replace(/^\n+|\s+$/gu, ''),
    });
    return end + 1;
  }

  private table(start: number): number {
    this.flush();
    const rows = [cells(this.lines[start] ?? '')];
    let at = start + 2;
    while (at < this.lines.length && (this.lines[at] ?? '').includes('|')) rows.push(cells(this.lines[at++] ?? ''));
    const width = rows[0]?.length ?? 0;
    const grid = rows.map((row) => Array.from({ length: width }, (_, column) => row[column] ?? ''));
    const index = this.tables.push(grid) - 1;
    for (const [row, line] of grid.entries()) {
      this.out.add({ kind: row === 0 ? 'table_header' : 'table_row', text: line.join('\t'), table: { index, row } });
    }
    return at;
  }

  private line(line: string): void {
    const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/u.exec(line);
    const quote = /^\s{0,3}>\s?(.*)$/u.exec(line);
    if (item !== null) {
      this.flush();
      this.kind = 'list_item';
      this.paragraph.push(item[1] ?? '');
    } else if (quote !== null) {
      if (this.kind !== 'quote') this.flush();
      this.kind = 'quote';
      this.paragraph.push(quote[1] ?? '');
    } else this.paragraph.push(line);
  }

  read(from: number): void {
    let at = from;
    while (at < this.lines.length) {
      const line = this.lines[at] ?? '';
      const next = this.lines[at + 1] ?? '';
      const fence = FENCE.exec(line)?.[1];
      const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/u.exec(line);
      if (fence !== undefined) at = this.code(at, fence);
      else if (heading !== null) this.heading(heading[2] ?? '', heading[1]?.length ?? 1);
      else if (line.includes('|') && next.includes('-') && TABLE_RULE.test(next)) {
        at = this.table(at);
        continue;
      } else if (/^\s{0,3}(?:=+|-{2,})\s*$/u.test(next) && line.trim() !== '' && this.paragraph.length === 0) {
        this.heading(line, next.trim().startsWith('=') ? 1 : 2);
        at += 2;
        continue;
      } else if (line.trim() === '' || /^\s{0,3}(?:[-*_]\s*){3,}$/u.test(line)) this.flush();
      else this.line(line);
      if (fence === undefined) at += 1;
    }
    this.flush();
  }
}

/** The front matter that static site makers put above a page. */
function frontMatterEnd(lines: readonly string[]): { end: number; title: string } {
  if (lines[0]?.trim() !== '---') return { end: 0, title: '' };
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/u.test(line));
  if (end < 0 || end > 200) return { end: 0, title: '' };
  const stated = lines
    .slice(1, end)
    .map((line) => /^title:\s*["']?(.*?)["']?\s*$/u.exec(line)?.[1])
    .find((title) => title !== undefined);
  return { end: end + 1, title: stated ?? '' };
}

export function readMarkdown(source: string, url: string): FormatResult {
  const lines = source
    .replace(/\r\n?/gu, '\n')
    .replace(/\0/gu, '')
    .replace(/<!--[\s\S]*?-->/gu, '')
    .split('\n');
  const front = frontMatterEnd(lines);
  const reader = new MarkdownReader(lines);
  reader.title = front.title;
  reader.read(front.end);
  return {
    ...finishText(reader.out, reader.title || titleFromUrl(url), reader.tables),
    ...(reader.out.text === '' ? {} : { page_kind: 'documentation' as const }),
  };
}
