/** The reader's own view of a document: plain objects, so that the rules need no DOM and stay quick. */
export type PageText = { readonly kind: 'text'; text: string; parent: PageElement | null };
export type PageElement = {
  readonly kind: 'element';
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  children: PageNode[];
  parent: PageElement | null;
};
export type PageNode = PageText | PageElement;

export function createElement(tag: string, attributes: ReadonlyMap<string, string> = new Map()): PageElement {
  return { kind: 'element', tag, attributes, children: [], parent: null };
}

export function appendChild(parent: PageElement, child: PageNode): void {
  child.parent = parent;
  parent.children.push(child);
}

export function attribute(element: PageElement, name: string): string {
  return element.attributes.get(name) ?? '';
}

/** Class and id in one lower-case string, as the rules about names look at both. */
export function nameOf(element: PageElement): string {
  return `${attribute(element, 'class')} ${attribute(element, 'id')}`.toLowerCase();
}

/** Every element below `root` in document order; `visit` returning false leaves out what is below. */
export function walkElements(root: PageElement, visit: (element: PageElement) => boolean | void): void {
  for (const child of [...root.children]) {
    if (child.kind !== 'element') continue;
    if (visit(child) !== false) walkElements(child, visit);
  }
}

export function findAll(root: PageElement, matches: (element: PageElement) => boolean): PageElement[] {
  const found: PageElement[] = [];
  walkElements(root, (element) => {
    if (matches(element)) found.push(element);
  });
  return found;
}

export function findFirst(root: PageElement, matches: (element: PageElement) => boolean): PageElement | undefined {
  for (const child of root.children) {
    if (child.kind !== 'element') continue;
    if (matches(child)) return child;
    const below = findFirst(child, matches);
    if (below !== undefined) return below;
  }
  return undefined;
}

export function hasTag(root: PageElement, tag: string): boolean {
  return findFirst(root, (element) => element.tag === tag) !== undefined;
}

/** Removes what `matches`, except for `root` itself; returns what was removed. */
export function removeAll(root: PageElement, matches: (element: PageElement) => boolean): PageElement[] {
  const removed: PageElement[] = [];
  const visit = (parent: PageElement): void => {
    const kept: PageNode[] = [];
    for (const child of parent.children) {
      if (child.kind === 'element' && matches(child)) {
        removed.push(child);
        continue;
      }
      if (child.kind === 'element') visit(child);
      kept.push(child);
    }
    if (kept.length !== parent.children.length) parent.children = kept;
  };
  visit(root);
  return removed;
}

function collectText(node: PageNode, into: string[]): void {
  if (node.kind === 'text') into.push(node.text);
  else if (node.tag === 'br') into.push('\n');
  else for (const child of node.children) collectText(child, into);
}

export function rawText(node: PageNode): string {
  const parts: string[] = [];
  collectText(node, parts);
  return parts.join('');
}

/** White space collapsed, also no-break and ideographic spaces; invisible marks removed. */
export function tidyText(text: string): string {
  return text
    .replace(/[\u200b\u200e\u200f\u2060\ufeff\u00ad]/gu, '')
    .replace(/[\s\u00a0\u3000]+/gu, ' ')
    .trim();
}

export function plainText(node: PageNode): string {
  return tidyText(rawText(node));
}

export function hasAncestor(element: PageElement, matches: (element: PageElement) => boolean): boolean {
  for (let up = element.parent; up !== null; up = up.parent) if (matches(up)) return true;
  return false;
}
