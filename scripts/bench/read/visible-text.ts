import { BLOCK_TAGS, SILENT_TAGS } from '#runtime/providers/reader/html/tags.ts';
import { parseHtml } from '#runtime/providers/reader/html/parse-html.ts';
import type { PageNode } from '#runtime/providers/reader/html/tree.ts';

/** All text of a piece of HTML, with a break at each block: nothing is chosen and nothing left out. */
export function visibleText(html: string): string {
  const parts: string[] = [];
  const visit = (node: PageNode): void => {
    if (node.kind === 'text') {
      parts.push(node.text);
      return;
    }
    if (SILENT_TAGS.has(node.tag)) return;
    const breaks = BLOCK_TAGS.has(node.tag) || node.tag === 'br';
    if (breaks) parts.push('\n');
    for (const child of node.children) visit(child);
    if (breaks) parts.push('\n');
  };
  visit(parseHtml(html));
  return parts.join('');
}
