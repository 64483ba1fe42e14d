import type { PageKind } from '#contracts/research/page.ts';
import { proseLength, removeBoilerplate } from './boilerplate.ts';
import { cleanArticle } from './clean-article.ts';
import { selectContent } from './score-content.ts';
import { isBareDocument } from './page-kind.ts';
import { attribute, findAll, findFirst, plainText, type PageElement } from './tree.ts';

export type Selection = { readonly roots: PageElement[]; readonly omittedChars: number };

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

/** The elements to read for a page of this kind. Changes the tree: what is around them may be taken out. */
export function selectRoots(root: PageElement, kind: PageKind): Selection {
  return kind === 'article' || kind === 'product' ? articleContent(root) : wholeContent(root);
}
