import { hasBoilerplateName, isEmbeddedPost } from './boilerplate.ts';
import { countCommas, linkDensity } from './density.ts';
import { nameWeight, weighedLength } from './score-content.ts';
import { isLayoutTable } from './table.ts';
import { BLOCK_TAGS } from './tags.ts';
import { findAll, hasAncestor, nameOf, plainText, removeAll, type PageElement } from './tree.ts';

function count(element: PageElement, tags: RegExp): number {
  return findAll(element, (below) => tags.test(below.tag)).length;
}

/** A card with a picture or several links inside a sentence: it shows only when somebody points at the words beside it. */
function isPopover(element: PageElement): boolean {
  if (BLOCK_TAGS.has(element.tag) || element.tag === 'a' || !hasAncestor(element, ({ tag }) => tag === 'p'))
    return false;
  const cards = element.children.filter((child) => child.kind === 'element' && isPopover(child));
  const isAroundCard =
    cards.length > 0 && cards.reduce((sum, card) => sum + plainText(card).length, 0) < plainText(element).length;
  return (
    !isAroundCard && count(element, /^a$/u) >= 3 && linkDensity(element) > 0.9 && !/[,，、]/u.test(ownJoint(element))
  );
}

/** What stands between the links of an element. */
function ownJoint(element: PageElement): string {
  return element.children.map((child) => (child.kind === 'text' ? child.text : '')).join('');
}

function isListOfSentences(list: PageElement): boolean {
  const items = list.children.filter((child): child is PageElement => child.kind === 'element' && child.tag === 'li');
  if (items.length === 0) return false;
  const texts = items.map((item) => plainText(item));
  return texts.reduce((sum, text) => sum + weighedLength(text), 0) / items.length > 60;
}

const CANDIDATE_TAG = /^(?:div|section|ul|ol|dl|form|fieldset|header|aside|table)$/u;

/** Code, figures and the cells of data tables are never clutter. */
function isProtected(element: PageElement): boolean {
  if (element.tag === 'table' && !isLayoutTable(element)) return true;
  if (isEmbeddedPost(element)) return true;
  return hasAncestor(
    element,
    (above) => /^(?:pre|figure)$/u.test(above.tag) || (above.tag === 'table' && !isLayoutTable(above)),
  );
}

/** A paragraph that is one link and no sentence: a pointer to another page. */
function isPointer(element: PageElement): boolean {
  const text = plainText(element);
  return text !== '' && weighedLength(text) < 200 && !/[.。!]$/u.test(text) && linkDensity(element) > 0.95;
}

/** Whole sentences of the author's own, whatever the element around them is called. */
function isProse(text: string, density: number): boolean {
  return weighedLength(text) >= 80 && density < 0.3 && /[.!?。！？]["'”’」』)]*$/u.test(text);
}

function isKeptList(element: PageElement, density: number): boolean {
  if (element.tag !== 'ul' && element.tag !== 'ol') return false;
  return density < 0.4 || (density < 0.6 && isListOfSentences(element));
}

/** A block of links, of teasers or of controls rather than of sentences. */
function isClutter(element: PageElement, totalLength: number): boolean {
  if (element.tag === 'p') return isPointer(element) && !isProtected(element);
  if (isPopover(element)) return true;
  if (!CANDIDATE_TAG.test(element.tag) || isProtected(element)) return false;
  const text = plainText(element);
  const length = weighedLength(text);
  if (length === 0) return false;
  const weight = nameWeight(element);
  const commas = countCommas(text);
  const density = linkDensity(element);
  if (weight < 0 && length < totalLength * 0.2 && commas < 10 && !isProse(text, density)) return true;
  if ((commas >= 10 && density < 0.5) || isKeptList(element, density)) return false;
  return isLinkBlock(element, { length, density, weight });
}

function isLinkBlock(
  element: PageElement,
  { length, density, weight }: { length: number; density: number; weight: number },
): boolean {
  const paragraphs = count(element, /^p$/u);
  const inputs = count(element, /^(?:input|button|select|label)$/u);
  if (inputs > Math.max(1, paragraphs / 3)) return true;
  if (density > 0.5 && (length < 1500 || density > 0.7)) return true;
  return weight < 25 && density > 0.25 && length < 400 && count(element, /^a$/u) > 2 && paragraphs < 2;
}

const TEASER =
  /^(?:\W*)(?:read (?:more|also|next|the full)|related|see (?:also|more)|more (?:on|from|about)|also (?:read|on|see)|(?:you may|you might) also (?:like|enjoy)|trending|most (?:read|popular|viewed)|don'?t miss|watch|recommended|click here|subscribe|sign up|follow us|share|tags?|filed under|topics?|相关阅读|延伸阅读|推荐阅读|更多|标签|分享|上一篇|下一篇|責任編輯|责任编辑|lire aussi|lesen sie auch|mehr zum thema|leia (?:também|mais)|lea también|читайте также)\b/iu;
/** The word alone, or with a colon: "More:", "Also: the other story". */
const TEASER_LABEL = /^(?:more|also|plus|highlights?|watch|video|gallery|photos)\s*(?:[:：]|$)/iu;
const TEASER_CJK = /^(?:相关阅读|延伸阅读|推荐阅读|标签|分享到|上一篇|下一篇|责任编辑|責任編輯)/u;

export function isTeaser(text: string): boolean {
  return TEASER.test(text) || TEASER_LABEL.test(text) || TEASER_CJK.test(text);
}

function isHeadingOfNothing(element: PageElement): boolean {
  if (!/^h[2-6]$/u.test(element.tag)) return false;
  if (element.parent === null) return false;
  const siblings = element.parent.children;
  const after = siblings.slice(siblings.indexOf(element) + 1);
  const next = after.find((node) => (node.kind === 'element' ? plainText(node) !== '' : node.text.trim() !== ''));
  const isBoundary =
    next === undefined && hasAncestor(element, (above) => above.tag === 'article' || above.tag === 'body') === false;
  return isBoundary || (isTeaser(plainText(element)) && plainText(element).length < 60);
}

/** Takes out of an article what its site put between the paragraphs. */
export function cleanArticle(roots: readonly PageElement[]): void {
  const totalLength = roots.reduce((sum, root) => sum + weighedLength(plainText(root)), 0);
  for (const root of roots) {
    removeAll(
      root,
      (element) =>
        /^(?:footer|aside|nav|button|form|fieldset)$/u.test(element.tag) &&
        weighedLength(plainText(element)) < totalLength * 0.4,
    );
    removeAll(
      root,
      (element) =>
        hasBoilerplateName(element) && weighedLength(plainText(element)) < totalLength * 0.3 && nameOf(element) !== '',
    );
    removeAll(root, (element) => isClutter(element, totalLength));
    removeAll(root, isHeadingOfNothing);
  }
}
