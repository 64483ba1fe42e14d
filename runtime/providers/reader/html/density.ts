import { attribute, plainText, type PageElement } from './tree.ts';

function linkLengthOf(element: PageElement): number {
  if (element.tag === 'a') {
    const weight = attribute(element, 'href').startsWith('#') ? 0.3 : 1;
    return plainText(element).length * weight;
  }
  let length = 0;
  for (const child of element.children) if (child.kind === 'element') length += linkLengthOf(child);
  return length;
}

/** Share of the text that stands in links, 0 to 1; jumps within the page count less. */
export function linkDensity(element: PageElement): number {
  const length = plainText(element).length;
  return length === 0 ? 0 : Math.min(1, linkLengthOf(element) / length);
}

const COMMA = /[,،﹐，、，；。;]/gu;

export function countCommas(text: string): number {
  return text.match(COMMA)?.length ?? 0;
}
