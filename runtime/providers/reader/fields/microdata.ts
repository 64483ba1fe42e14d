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

export function hasProperty(element: PageElement, name: string): boolean {
  return attribute(element, 'itemprop').toLowerCase().split(/\s+/u).includes(name.toLowerCase());
}

export function findScope(root: PageElement, type: RegExp): PageElement | undefined {
  return findFirst(root, (element) => element.attributes.has('itemtype') && type.test(attribute(element, 'itemtype')));
}

/** First filled value of a property below `scope`; of a nested thing its name. */
export function propertyOf(scope: PageElement, name: string): string {
  for (const element of findAll(scope, (below) => hasProperty(below, name))) {
    if (element.attributes.has('itemscope')) {
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
