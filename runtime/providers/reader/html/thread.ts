import { proseLength } from './boilerplate.ts';
import { findAll, findFirst, hasAncestor, nameOf, walkElements, type PageElement } from './tree.ts';

/** How software of forums calls one contribution; the number of the contribution may follow. */
const POST_NAME = /(?:^|[\s_-])(?:post|reply|message|answer|comment)(?:$|[\s_\d-])/u;
const MIN_POSTS = 3;
const MIN_SHARE = 0.5;

function isHeadedByLink(element: PageElement): boolean {
  const heading = findFirst(element, (below) => /^h[1-4]$/u.test(below.tag));
  return heading !== undefined && findFirst(heading, (below) => below.tag === 'a') !== undefined;
}

/** Contributions side by side that hold most of the prose. Teasers of a blog are headed by links to what they are about. */
export function isThread(root: PageElement): boolean {
  const groups = new Map<PageElement, PageElement[]>();
  walkElements(root, (element) => {
    if (element.parent === null || !/^(?:div|li|article|section|tr|table)$/u.test(element.tag)) return;
    if (!POST_NAME.test(nameOf(element))) return;
    const posts = groups.get(element.parent);
    if (posts === undefined) groups.set(element.parent, [element]);
    else posts.push(element);
  });
  const total = proseLength(root);
  for (const posts of groups.values()) {
    if (posts.length < MIN_POSTS || posts.some(isHeadedByLink)) continue;
    const prose = posts.reduce((sum, post) => sum + proseLength(post), 0);
    const isBesideArticle = posts.some((post) => hasAncestor(post, (up) => /comments?(?:[\s_-]|$)/u.test(nameOf(up))));
    if (prose > total * (isBesideArticle ? 0.8 : MIN_SHARE) && hasAuthors(posts)) return true;
  }
  return false;
}

/** Who wrote it, or when, stands with each contribution. */
function hasAuthors(posts: readonly PageElement[]): boolean {
  const signed = posts.filter(
    (post) =>
      findAll(
        post,
        (below) => below.tag === 'time' || /author|user|member|poster|byline|date|time/u.test(nameOf(below)),
      ).length > 0,
  );
  return signed.length >= posts.length / 2;
}
