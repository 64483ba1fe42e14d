import { countCommas, linkDensity } from './density.ts';
import { BLOCK_TAGS, HEADING } from './tags.ts';
import { attribute, hasAncestor, plainText, tidyText, walkElements, type PageElement } from './tree.ts';

const POSITIVE = /article|body|content|entry|hentry|h-entry|main|page|post|text|blog|story|detail|正文/u;
const NEGATIVE =
  /-ad-|hidden|banner|combx|comment|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget|teaser|recommend/u;

export function nameWeight(element: PageElement): number {
  let weight = 0;
  for (const name of [attribute(element, 'class').toLowerCase(), attribute(element, 'id').toLowerCase()]) {
    if (name === '') continue;
    if (NEGATIVE.test(name)) weight -= 25;
    if (POSITIVE.test(name)) weight += 25;
  }
  if (/articlebody|blogpost/u.test(attribute(element, 'itemprop').toLowerCase())) weight += 50;
  return weight;
}

function baseScore(element: PageElement): number {
  const weight = nameWeight(element);
  if (element.tag === 'article' || element.tag === 'main') return weight + 10;
  if (element.tag === 'div') return weight + 5;
  if (/^(?:pre|td|blockquote)$/u.test(element.tag)) return weight + 3;
  if (/^(?:address|ol|ul|dl|dd|dt|li|form)$/u.test(element.tag)) return weight - 3;
  if (HEADING.test(element.tag) || element.tag === 'th') return weight - 5;
  return weight;
}

/** Text that stands in the element itself or in its inline children. */
function ownText(element: PageElement): string {
  const parts: string[] = [];
  for (const child of element.children) {
    if (child.kind === 'text') parts.push(child.text);
    else if (!BLOCK_TAGS.has(child.tag)) parts.push(plainText(child));
  }
  return tidyText(parts.join(' '));
}

/** CJK says in one character what takes three letters elsewhere. */
export function weighedLength(text: string): number {
  const cjk = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/gu)?.length ?? 0;
  return text.length + 2 * cjk;
}

export type Candidate = { readonly element: PageElement; readonly score: number };

/** Paragraphs vote for the elements around them; near ones get the most. Best first. */
export function scoreCandidates(root: PageElement): Candidate[] {
  const scores = new Map<PageElement, number>();
  const vote = (paragraph: PageElement, text: string): void => {
    const length = weighedLength(text);
    const points = (1 + countCommas(text) + Math.min(3, Math.floor(length / 100))) * (1 - linkDensity(paragraph));
    let level = 0;
    for (let up = paragraph.parent; up !== null && up.tag !== 'document' && level < 6; up = up.parent) {
      const divider = level === 0 ? 1 : level === 1 ? 2 : level * 3;
      scores.set(up, (scores.get(up) ?? baseScore(up)) + points / divider);
      level += 1;
    }
  };
  walkElements(root, (element) => {
    if (element.tag === 'head' || HEADING.test(element.tag)) return;
    if (!BLOCK_TAGS.has(element.tag) || element.tag === 'li') return;
    const text = ownText(element);
    if (weighedLength(text) < 25) return;
    vote(element, text);
  });
  return [...scores]
    .map(([element, score]) => ({ element, score: score * (1 - linkDensity(element)) }))
    .sort((one, other) => other.score - one.score);
}

function depthOf(element: PageElement): number {
  let depth = 0;
  for (let up = element.parent; up !== null; up = up.parent) depth += 1;
  return depth;
}

/** Where several strong candidates share an ancestor, the text is spread over it. */
function sharedAncestor(candidates: readonly Candidate[]): PageElement | undefined {
  const [top, ...others] = candidates;
  if (top === undefined) return undefined;
  const strong = others.slice(0, 4).filter((other) => other.score >= top.score * 0.75);
  if (strong.length < 3) return undefined;
  for (let up = top.element.parent; up !== null && up.tag !== 'body' && up.tag !== 'document'; up = up.parent) {
    const holder = up;
    if (strong.filter(({ element }) => hasAncestor(element, (above) => above === holder)).length >= 3) return holder;
  }
  return undefined;
}

function climb(start: PageElement, scoreOf: ReadonlyMap<PageElement, number>): PageElement {
  let best = start;
  let last = scoreOf.get(start) ?? 0;
  const least = last / 3;
  for (let up = start.parent; up !== null && up.tag !== 'body' && up.tag !== 'document'; up = up.parent) {
    const score = scoreOf.get(up);
    if (score === undefined) continue;
    if (score < least) break;
    if (score > last) {
      best = up;
      break;
    }
    last = score;
  }
  while (best.parent !== null && best.parent.tag !== 'body' && onlyChild(best.parent)) best = best.parent;
  return best;
}

function onlyChild(parent: PageElement): boolean {
  return parent.children.filter((child) => child.kind === 'element').length === 1 && ownText(parent) === '';
}

/** Parts beside the best element that read like more of the same: other columns, split bodies, a lead above. */
export function withSiblings(top: PageElement, scoreOf: ReadonlyMap<PageElement, number>): PageElement[] {
  const parent = top.parent;
  if (parent === null) return [top];
  const threshold = Math.max(10, (scoreOf.get(top) ?? 0) * 0.2);
  const className = attribute(top, 'class');
  return parent.children.filter((child): child is PageElement => {
    if (child.kind !== 'element') return false;
    if (child === top) return true;
    const bonus = className !== '' && attribute(child, 'class') === className ? threshold : 0;
    if ((scoreOf.get(child) ?? 0) + bonus >= threshold && scoreOf.has(child)) return true;
    if (child.tag !== 'p' && !/^h[2-6]$/u.test(child.tag) && child.tag !== 'blockquote') return false;
    const text = plainText(child);
    const density = linkDensity(child);
    if (child.tag !== 'p') return false;
    return (weighedLength(text) > 80 && density < 0.25) || (density === 0 && /[.。！？!?](?:\s|$)/u.test(text));
  });
}

/** Sentences below an element that stand in paragraphs, in characters: what teasers, menus and forms have none of. */
function paragraphLength(root: PageElement): number {
  let length = 0;
  walkElements(root, (element) => {
    if (!BLOCK_TAGS.has(element.tag) || HEADING.test(element.tag)) return;
    const text = ownText(element);
    const weighed = weighedLength(text);
    if (weighed >= 80 && /[.。！？!?:："”»)…]$/u.test(text) && linkDensity(element) < 0.3) length += weighed;
  });
  return length;
}

function isOneArticle(element: PageElement): boolean {
  let headlines = 0;
  let articles = 0;
  walkElements(element, ({ tag }) => {
    if (tag === 'h1') headlines += 1;
    if (tag === 'article') articles += 1;
  });
  return headlines <= 1 && articles <= 1;
}

/** A story that is told in several sections has its paragraphs in several places; they are read as far as they outweigh what is between. */
function widen(start: PageElement): PageElement {
  let best = start;
  let held = paragraphLength(start);
  for (let up = start.parent; up !== null && up.tag !== 'body' && up.tag !== 'document'; up = up.parent) {
    const holds = paragraphLength(up);
    if (holds < held * 1.35) continue;
    if (!isOneArticle(up) || linkDensity(up) > 0.25) break;
    best = up;
    held = holds;
  }
  return best;
}

/** The elements that hold the main text, in document order; empty when nothing reads like text. */
export function selectContent(root: PageElement): PageElement[] {
  const candidates = scoreCandidates(root);
  const scoreOf = new Map(candidates.map(({ element, score }) => [element, score]));
  const top = candidates[0];
  if (top === undefined) return [];
  const start = sharedAncestor(candidates) ?? top.element;
  const best = widen(climb(start, scoreOf));
  return depthOf(best) <= 1 || best.tag === 'body' ? [best] : withSiblings(best, scoreOf);
}
