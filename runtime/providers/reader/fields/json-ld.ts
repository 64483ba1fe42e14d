import { attribute, findAll, rawText, type PageElement } from '../html/tree.ts';

export type LdNode = { readonly [key: string]: unknown };

const MAX_NODES = 5000;

function isNode(value: unknown): value is LdNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseLoosely(source: string): unknown {
  const text = source
    .trim()
    .replace(/^(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|\/\/\s*\]\]>|\]\]>)$/gu, '')
    .trim();
  for (const attempt of [
    text,
    text.replace(/[\u0000-\u001f]+/gu, ' '),
    text.replace(/;\s*$/u, ''),
    text.replace(/,\s*([}\]])/gu, '$1'),
  ]) {
    try {
      return JSON.parse(attempt) as unknown;
    } catch {
      // Real pages hold raw line breaks, trailing commas and semicolons: the next reading may do.
    }
  }
  return undefined;
}

function collect(value: unknown, into: LdNode[], depth: number): void {
  if (into.length >= MAX_NODES || depth > 8) return;
  if (Array.isArray(value)) for (const item of value) collect(item, into, depth + 1);
  else if (isNode(value)) {
    into.push(value);
    for (const key of ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemListElement', 'item', 'hasVariant', 'about']) {
      if (value[key] !== undefined) collect(value[key], into, depth + 1);
    }
  }
}

/** All JSON-LD objects of a page, those inside graphs and lists too. */
export function readJsonLd(root: PageElement): LdNode[] {
  const nodes: LdNode[] = [];
  const scripts = findAll(root, (element) => element.tag === 'script' && /ld\+json/iu.test(attribute(element, 'type')));
  for (const script of scripts) collect(parseLoosely(rawText(script)), nodes, 0);
  return nodes;
}

export function typesOf(node: LdNode): string[] {
  const type = node['@type'];
  const types = Array.isArray(type) ? type : [type];
  return types.filter((name): name is string => typeof name === 'string').map((name) => name.replace(/^.*[/#:]/u, ''));
}

/** A text, a number, or the name of a nested thing; the first of a list. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(textOf).find((text) => text !== '') ?? '';
  if (isNode(value)) return textOf(value['name'] ?? value['@value'] ?? '');
  return '';
}

export function nodesOf(value: unknown): LdNode[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}
