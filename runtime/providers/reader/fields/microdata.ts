import { attribute, findAll, findFirst, plainText, type PageElement } from '../html/tree.ts';

function valueOf(element: PageElement): string {
  const content = attribute(element, 'content').trim();
  if (content !== '') return content;
  if (element.tag === 'link' || element.tag === 'a') return attribute(element, 'href') || plainText(element);
  if (element.tag === 'time') return attribute(element, 'datetime') || plainText(element);
  if (element.tag === 'data' || element.tag === 'meter') return attribute(element, 'value') || plainText(element);
  if (element.tag === 'img') return attribute(element, 'alt');
  return plainText(element);
}

/** Microdata's `itemprop` or RDFa's `property`, with or without a prefix. */
export function hasProperty(element: PageElement, name: string): boolean {
  const stated = `${attribute(element, 'itemprop')} ${attribute(element, 'property')}`.toLowerCase();
  return stated
    .split(/\s+/u)
    .some((one) => one.replace(/^schema:|^https?:\/\/schema\.org\//u, '') === name.toLowerCase());
}

function isScope(element: PageElement): boolean {
  return element.attributes.has('itemscope') || element.attributes.has('typeof');
}

export function findScope(root: PageElement, type: RegExp): PageElement | undefined {
  const typed = (name: string): PageElement | undefined =>
    findFirst(root, (element) => element.attributes.has(name) && type.test(attribute(element, name)));
  return typed('itemtype') ?? typed('typeof');
}

/** Properties of the thing itself, before those of the things that it holds. */
function propertiesBelow(scope: PageElement, name: string): PageElement[] {
  const own = (element: PageElement): boolean => {
    for (let up = element.parent; up !== null && up !== scope; up = up.parent) if (isScope(up)) return false;
    return true;
  };
  const all = findAll(scope, (below) => hasProperty(below, name));
  return [...all.filter(own), ...all.filter((element) => !own(element))];
}

/** First filled value of a property below `scope`; of a nested thing its name. */
export function propertyOf(scope: PageElement, name: string): string {
  for (const element of propertiesBelow(scope, name)) {
    if (isScope(element)) {
      const inner = findFirst(element, (below) => hasProperty(below, 'name'));
      const value = inner === undefined ? attribute(element, 'content') : valueOf(inner);
      if (value !== '') return value;
      if (inner === undefined && name !== 'offers') return plainText(element).slice(0, 200);
      continue;
    }
    const value = valueOf(element);
    if (value !== '') return value;
  }
  return '';
}
