import { linkDensity } from './density.ts';
import { attribute, hasTag, plainText, walkElements, type PageElement } from './tree.ts';

const MIN_ITEMS = 3;
const MIN_ITEM_CHARS = 12;
const MAX_ITEM_CHARS = 1500;
/** A group with less than this share of the text is not what the page lists. */
const MIN_SHARE = 0.3;
const ITEM_TAG = /^(?:div|li|article|section|a|dd)$/u;

function signatureOf(element: PageElement): string {
  const [first = ''] = attribute(element, 'class').trim().split(/\s+/u);
  return `${element.tag}.${first.replace(/\d+/gu, '')}`;
}

function isItem(element: PageElement): boolean {
  if (!ITEM_TAG.test(element.tag) || !(element.tag === 'a' || hasTag(element, 'a'))) return false;
  const { length } = plainText(element);
  return length >= MIN_ITEM_CHARS && length <= MAX_ITEM_CHARS;
}

/** The entries that a page lists: alike, side by side, each with a link, together much of its text. Empty where it lists nothing. */
export function listedItems(root: PageElement): ReadonlySet<PageElement> {
  const total = plainText(root).length;
  let best: readonly PageElement[] = [];
  let most = total * MIN_SHARE;
  const weigh = (parent: PageElement): void => {
    const groups = new Map<string, PageElement[]>();
    for (const child of parent.children) {
      if (child.kind !== 'element' || !isItem(child)) continue;
      const signature = signatureOf(child);
      groups.set(signature, [...(groups.get(signature) ?? []), child]);
    }
    for (const items of groups.values()) {
      if (items.length < MIN_ITEMS) continue;
      const length = items.reduce((sum, item) => sum + plainText(item).length, 0);
      // Entries that are nothing but a link are a menu, unless there is nothing else.
      const says = length * (items.every((item) => linkDensity(item) > 0.95) ? 0.5 : 1);
      if (says <= most) continue;
      most = says;
      best = items;
    }
  };
  weigh(root);
  walkElements(root, weigh);
  return new Set(best);
}
