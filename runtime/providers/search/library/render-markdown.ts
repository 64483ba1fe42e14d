import { escapeHtml } from './render-text.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;

/** Markdown as plain readable HTML. Raw HTML in the source is shown as text; links keep their words only. */
export function renderMarkdown(source: string): string {
  return new MarkdownRenderer(source).render();
}

class MarkdownRenderer {
  private readonly lines: readonly string[];
  private readonly out: string[] = [];
  private paragraph: string[] = [];
  private at = 0;

  constructor(source: string) {
    const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
    // Front matter describes the page to other programs.
    this.lines = text.replace(/^---\n[\s\S]*?\n---(?:\n|$)/, '').split('\n');
  }

  render(): string {
    while (this.at < this.lines.length) this.block(this.lines[this.at] ?? '');
    this.endParagraph();
    return this.out.join('\n');
  }

  private block(line: string): void {
    const heading = HEADING.exec(line);
    const next = this.lines[this.at + 1] ?? '';
    if (FENCE.test(line)) this.code(line);
    else if (heading !== null)
      this.push(`<h${(heading[1] ?? '').length}>${inline(heading[2] ?? '')}</h${(heading[1] ?? '').length}>`);
    else if (line.trim() === '' || RULE.test(line)) this.push('');
    else if (this.paragraph.length === 0 && ITEM.test(line)) this.list();
    else if (line.includes('|') && TABLE_RULE.test(next) && next.includes('-')) this.table();
    else if (/^ {0,3}>/.test(line)) this.quote();
    else this.textLine(line, next);
  }

  /** A line of text, or the heading that an underline makes of it. */
  private textLine(line: string, next: string): void {
    const underline = /^ {0,3}(=+|-+)\s*$/.exec(next)?.[1];
    if (underline !== undefined && this.paragraph.length === 0) {
      const level = underline.startsWith('=') ? 1 : 2;
      this.push(`<h${level}>${inline(line.trim())}</h${level}>`);
      this.at += 1;
      return;
    }
    this.paragraph.push(line.trim());
    this.at += 1;
    if (ITEM.test(next)) this.endParagraph();
  }

  private push(html: string): void {
    this.endParagraph();
    if (html !== '') this.out.push(html);
    this.at += 1;
  }

  private endParagraph(): void {
    if (this.paragraph.length > 0) this.out.push(`<p>${inline(this.paragraph.join(' '))}</p>`);
    this.paragraph = [];
  }

  private code(opening: string): void {
    this.endParagraph();
    const fence = FENCE.exec(opening)?.[1] ?? '```';
    const body: string[] = [];
    this.at += 1;
    while (this.at < this.lines.length && !(this.lines[this.at] ?? '').trimStart().startsWith(fence)) {
      body.push(this.lines[this.at] ?? '');
      this.at += 1;
    }
    this.at += 1;
    this.out.push(`<pre><code>${escapeHtml(body.join('\n'))}</code></pre>`);
  }

  /** Nesting is flattened: every item is one line of the same list. */
  private list(): void {
    const isOrdered = ITEM.exec(this.lines[this.at] ?? '')?.[2] !== undefined;
    const items: string[] = [];
    while (this.at < this.lines.length) {
      const line = this.lines[this.at] ?? '';
      const item = ITEM.exec(line);
      if (item !== null) items.push(item[3] ?? '');
      else if (line.trim() !== '' && /^\s+/.test(line) && !FENCE.test(line))
        items.push(`${items.pop() ?? ''} ${line.trim()}`);
      else break;
      this.at += 1;
    }
    const tag = isOrdered ? 'ol' : 'ul';
    this.out.push(`<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`);
  }

  private table(): void {
    this.endParagraph();
    const head = cells(this.lines[this.at] ?? '');
    this.at += 2;
    const rows: string[] = [];
    while (this.at < this.lines.length && (this.lines[this.at] ?? '').includes('|')) {
      rows.push(
        `<tr>${cells(this.lines[this.at] ?? '')
          .map((cell) => `<td>${inline(cell)}</td>`)
          .join('')}</tr>`,
      );
      this.at += 1;
    }
    const names = head.map((cell) => `<th>${inline(cell)}</th>`).join('');
    this.out.push(`<table><thead><tr>${names}</tr></thead><tbody>${rows.join('')}</tbody></table>`);
  }

  private quote(): void {
    this.endParagraph();
    const body: string[] = [];
    while (this.at < this.lines.length && /^ {0,3}>/.test(this.lines[this.at] ?? '')) {
      body.push((this.lines[this.at] ?? '').replace(/^ {0,3}>\s?/, ''));
      this.at += 1;
    }
    this.out.push(`<blockquote><p>${inline(body.join(' ').trim())}</p></blockquote>`);
  }
}

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Code spans, emphasis and the words of links; everything else is escaped text. */
function inline(source: string): string {
  return source
    .split(/(`+[^`]+`+)/)
    .map((part, i) =>
      i % 2 === 1 ? `<code>${escapeHtml(part.replace(/^`+|`+$/g, '').trim())}</code>` : emphasis(part),
    )
    .join('');
}

function emphasis(part: string): string {
  const words = part
    .replace(/!?\[([^\][]{0,1000})\]\([^()\s]{0,2000}(?:\s+"[^"]{0,500}")?\)/g, '$1')
    .replace(/<(https?:[^>\s]{1,2000})>/g, '$1');
  return escapeHtml(words)
    .replace(/\*\*([^*]{1,2000})\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*([^*\s][^*]{0,2000})\*(?![\w*])/g, '<em>$1</em>');
}
