import type { PageKind } from '#contracts/research/page.ts';
import { proseLength, removeBoilerplate } from './boilerplate.ts';
import { cleanArticle } from './clean-article.ts';
import { selectContent } from './score-content.ts';
import { isBareDocument } from './page-kind.ts';
import { listedItems } from './select-items.ts';
import { cleanThread, postsOf } from './select-thread.ts';
import { attribute, findAll, findFirst, hasAncestor, plainText, type PageElement } from './tree.ts';

export type Selection = {
  readonly roots: PageElement[];
  readonly omittedChars: number;
  /** Elements that are read as one entry of a list each. */
  readonly items?: ReadonlySet<PageElement>;
};

function bodyOf(root: PageElement): PageElement {
  return findFirst(root, (element) => element.tag === 'body') ?? root;
}

/** The part that the page itself calls its main one, when it holds most of the prose. */
function declaredMain(root: PageElement): PageElement | undefined {
  const total = proseLength(root);
  const named = findAll(
    root,
    (element) =>
      element.tag === 'main' ||
      attribute(element, 'role') === 'main' ||
      /(?:^|\s)(?:mw-parser-output|markdown-body)(?:\s|$)/u.test(attribute(element, 'class')),
  );
  const articles = findAll(root, (element) => element.tag === 'article');
  if (articles.length === 1 && articles[0] !== undefined) named.push(articles[0]);
  return named
    .filter((element) => proseLength(element) > total * 0.4)
    .sort((one, other) => proseLength(one) - proseLength(other))[0];
}

function wholeContent(root: PageElement): Selection {
  const body = bodyOf(root);
  if (isBareDocument(root)) return { roots: [body], omittedChars: 0 };
  const omittedChars = removeBoilerplate(body, 0.4);
  return { roots: [declaredMain(body) ?? body], omittedChars };
}

function articleContent(root: PageElement): Selection {
  const body = bodyOf(root);
  const before = plainText(body).length;
  removeBoilerplate(body, 0.4);
  const roots = selectContent(body);
  if (roots.length === 0) return { roots: [declaredMain(body) ?? body], omittedChars: before - plainText(body).length };
  cleanArticle(roots);
  const kept = roots.reduce((sum, element) => sum + plainText(element).length, 0);
  return { roots, omittedChars: before - kept };
}

function threadContent(root: PageElement): Selection {
  const body = bodyOf(root);
  const posts = postsOf(body);
  if (posts.length === 0) return wholeContent(root);
  const removed = cleanThread(body, posts);
  const holder = sharedHolder(posts) ?? body;
  const title = findFirst(body, (element) => element.tag === 'h1');
  const isInside = title === undefined || hasAncestor(title, (above) => above === holder);
  const roots = title === undefined || isInside ? [holder] : [title, holder];
  return {
    roots,
    omittedChars: removed + plainText(body).length - roots.reduce((sum, one) => sum + plainText(one).length, 0),
  };
}

/** The nearest element around all of them. */
function sharedHolder(elements: readonly PageElement[]): PageElement | undefined {
  for (let up = elements[0]?.parent ?? null; up !== null; up = up.parent) {
    const holder = up;
    if (elements.every((element) => hasAncestor(element, (above) => above === holder))) return holder;
  }
  return undefined;
}

function listingContent(root: PageElement): Selection {
  const whole = wholeContent(root);
  const items = whole.roots[0] === undefined ? new Set<PageElement>() : listedItems(whole.roots[0]);
  return { ...whole, items };
}

/** The elements to read for a page of this kind. Changes the tree: what is around them may be taken out. */
export function selectRoots(root: PageElement, kind: PageKind): Selection {
  if (kind === 'article' || kind === 'product') return articleContent(root);
  if (kind === 'forum') return threadContent(root);
  return kind === 'listing' ? listingContent(root) : wholeContent(root);
}
