import { DOMParser } from 'linkedom';
import { fail } from '#contracts/errors.ts';
import { appendChild, createElement, type PageElement } from './tree.ts';

/**
 * The parser makes an object of each tag and of each piece of text between tags and entities, at about 30 µs and 1 kB on a busy
 * machine. The largest articles of encyclopedias have 150,000 of them.
 */
const MAX_PIECES = 400_000;
/** Names and styles longer than this are no names; rules about them look no further. */
const MAX_NAME_CHARS = 2000;
/** Browsers flatten at 512; text below is kept, only its nesting is not. */
const MAX_DEPTH = 256;

/** The few DOM members that are used here; the compiler has no DOM library on the server. */
type DomNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly localName?: string;
  readonly data?: string;
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
  readonly documentElement?: DomNode | null;
};

const VOID_TAGS = 'area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr';
const TAG = new RegExp(`<(/?)(?!(?:${VOID_TAGS})[\\s/>])([a-zA-Z][^\\s/>]*)`, 'gu');

const LONG_CLASS = /\sclass\s*=\s*(?:"[^"]{2000,}"|'[^']{2000,}')/giu;

function countMarks(html: string, mark: string): number {
  let count = 0;
  for (let at = html.indexOf(mark); at >= 0; at = html.indexOf(mark, at + 1)) count += 1;
  return count;
}

/**
 * The parser keeps its open tags in an array that it shifts at each step, so nesting costs the square of its depth.
 * Where the depth passes `limit`, further opening tags and their closing tags are taken out of the source.
 */
export function flattenNesting(html: string, limit: number): string {
  let depth = 0;
  let deepest = 0;
  for (const match of html.matchAll(TAG)) {
    depth = match[1] === '/' ? Math.max(0, depth - 1) : depth + 1;
    deepest = Math.max(deepest, depth);
  }
  if (deepest <= limit) return html;
  depth = 0;
  const parts: string[] = [];
  let copied = 0;
  for (const match of html.matchAll(TAG)) {
    const closes = match[1] === '/';
    if (!closes) depth += 1;
    const isDeep = depth > limit;
    if (closes) depth = Math.max(0, depth - 1);
    if (!isDeep) continue;
    const end = html.indexOf('>', match.index);
    parts.push(html.slice(copied, match.index), ' ');
    copied = end < 0 ? html.length : Math.max(copied, end + 1);
  }
  parts.push(html.slice(copied));
  return parts.join('');
}

function attributesOf(node: DomNode): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const { name, value } of node.attributes ?? []) {
    const key = name.toLowerCase();
    attributes.set(key, /^(?:class|id|style)$/u.test(key) ? value.slice(0, MAX_NAME_CHARS) : value);
  }
  return attributes;
}

function copyTree(document: DomNode): PageElement {
  const root = createElement('document');
  const path: PageElement[] = [root];
  // linkedom gives a document type no sibling.
  let node = document.firstChild?.nodeType === 10 ? (document.documentElement ?? null) : document.firstChild;
  let depth = 0;
  while (node !== null) {
    const parent = path[Math.min(depth, MAX_DEPTH)] ?? root;
    let down: DomNode | null = null;
    if (node.nodeType === 3) appendChild(parent, { kind: 'text', text: node.data ?? '', parent });
    else if (node.nodeType === 1) {
      const element = createElement((node.localName ?? node.nodeName).toLowerCase(), attributesOf(node));
      appendChild(parent, element);
      down = node.firstChild;
      if (down !== null && depth + 1 <= MAX_DEPTH) path[depth + 1] = element;
    }
    if (down !== null) {
      depth += 1;
      node = down;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode;
      depth -= 1;
      if (node === document || depth < 0) return root;
    }
    node = node?.nextSibling ?? null;
  }
  return root;
}

/** HTML source → tree under one `document` element. Throws `page.too_large`. */
export function parseHtml(html: string): PageElement {
  const pieces = countMarks(html, '<') + countMarks(html, '&');
  if (pieces > MAX_PIECES)
    fail('page.too_large', `The page has ${pieces} tags and entities; at most ${MAX_PIECES} are read.`);
  // The parser hands the words of a class over as arguments, which a long list of them does not survive.
  const plain = html.replaceAll('\0', '\ufffd').replace(LONG_CLASS, '');
  const source = flattenNesting(plain, 1000);
  return copyTree(new DOMParser().parseFromString(source, 'text/html') as unknown as DomNode);
}
