import { attribute, findAll, rawText, type PageElement } from '../html/tree.ts';
import { looseValue } from './loose-json.ts';
import type { LdNode } from './json-ld.ts';

const MAX_SCRIPT_CHARS = 4_000_000;
const MAX_TOTAL_CHARS = 8_000_000;
const MAX_NODES = 40_000;
const MAX_DEPTH = 24;
/** An object that follows `=`, `(`, `:` or `,` may be data; a block of a function follows `)` or a word. */
const BEGINNING = /[=(,:[]\s*(?=[{[]\s*["'{[\w\]}])/gu;
/** Only scripts that speak of goods are worth the reading. */
const ABOUT_GOODS = /price|sku|product|availab|stock|preis|prix|precio/iu;

function isNode(value: unknown): value is LdNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}

/** Values of JSON that are themselves JSON in a text are common in page state. */
function unwrap(value: unknown): unknown {
  if (typeof value !== 'string' || value.length < 20 || !/^\s*[{[]/u.test(value)) return value;
  return parse(value);
}

function collect(value: unknown, into: LdNode[], depth: number): void {
  if (into.length >= MAX_NODES || depth > MAX_DEPTH) return;
  const plain = unwrap(value);
  if (Array.isArray(plain)) for (const item of plain) collect(item, into, depth + 1);
  else if (isNode(plain)) {
    into.push(plain);
    for (const inner of Object.values(plain))
      if (typeof inner === 'object' || typeof inner === 'string') collect(inner, into, depth + 1);
  }
}

function valuesIn(source: string): unknown[] {
  const whole = /^\s*[{[]/u.test(source) ? parse(source) : undefined;
  if (whole !== undefined) return [whole];
  const values: unknown[] = [];
  // What is no data after all is read again from further inside; the budget keeps a hostile nesting of that from growing.
  let budget = 3 * source.length;
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(source); match !== null && budget > 0; match = BEGINNING.exec(source)) {
    const start = match.index + match[0].length;
    const { value, end, isData } = looseValue(source, start);
    budget -= end - start;
    if (!isData) continue;
    values.push(value);
    BEGINNING.lastIndex = end;
  }
  for (const match of source.matchAll(/JSON\.parse\(\s*(["'])((?:[^\\]|\\.)*?)\1\s*\)/gu)) {
    const text = looseValue(`${match[1] ?? ''}${match[2] ?? ''}${match[1] ?? ''}`, 0)?.value;
    if (typeof text === 'string') values.push(parse(text));
  }
  return values;
}

/** All objects in a page's scripts and data attributes, read as data and never run. */
export function readEmbeddedState(root: PageElement): LdNode[] {
  const nodes: LdNode[] = [];
  let read = 0;
  for (const script of findAll(root, (element) => element.tag === 'script')) {
    if (/ld\+json/iu.test(attribute(script, 'type'))) continue;
    const source = rawText(script);
    if (source.length > MAX_SCRIPT_CHARS || read + source.length > MAX_TOTAL_CHARS || !ABOUT_GOODS.test(source))
      continue;
    read += source.length;
    for (const value of valuesIn(source)) collect(value, nodes, 0);
  }
  for (const element of findAll(root, (candidate) => candidate.tag !== 'script')) {
    for (const [name, value] of element.attributes) {
      if (!name.startsWith('data-') || value.length < 20 || value.length > 200_000 || !/^\s*[{[]/u.test(value))
        continue;
      if (ABOUT_GOODS.test(value)) collect(parse(value), nodes, 0);
    }
  }
  return nodes;
}
