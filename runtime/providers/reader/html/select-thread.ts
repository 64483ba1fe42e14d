import { hasBoilerplateName, isBoilerplateByMarkup, proseLength, removeBoilerplate } from './boilerplate.ts';
import { attribute, findAll, hasAncestor, nameOf, removeAll, walkElements, type PageElement } from './tree.ts';

/** How software of forums calls one contribution; the number of the contribution may follow. */
const POST_NAME = /(?:^|[\s_-])(?:post|reply|message|answer|question|comment)(?:$|[\s_\d-])/u;
const POST_TYPE = /schema\.org\/(?:Question|Answer|Comment|DiscussionForumPosting)$/u;
/** A group with less than this share of what the largest one says is something beside the thread. */
const MIN_SHARE = 0.1;
const CONTROLS = /^(?:form|button|menu|nav)$/u;

function isPost(element: PageElement): boolean {
  if (!/^(?:div|li|article|section|tr|table|blockquote)$/u.test(element.tag)) return false;
  return POST_TYPE.test(attribute(element, 'itemtype')) || POST_NAME.test(nameOf(element));
}

/** The outermost contributions, in document order. */
export function postsOf(root: PageElement): PageElement[] {
  const groups = new Map<PageElement | null, PageElement[]>();
  walkElements(root, (element) => {
    if (!isPost(element)) return true;
    const beside = groups.get(element.parent);
    if (beside === undefined) groups.set(element.parent, [element]);
    else beside.push(element);
    // What is called a post and holds several others is the list of them.
    const inner = findAll(element, isPost).filter((below) => proseLength(below) > 0);
    if (inner.length >= 3 && proseLength(element) > 0) {
      const held = inner.filter((below) => !hasAncestor(below, (above) => inner.includes(above)));
      const share = held.reduce((sum, below) => sum + proseLength(below), 0) / proseLength(element);
      if (held.length >= 3 && share > 0.7) {
        groups.get(element.parent)?.pop();
        return true;
      }
    }
    return false;
  });
  const sizes = [...groups.values()].map((posts) => posts.reduce((sum, post) => sum + proseLength(post), 0));
  const largest = Math.max(0, ...sizes);
  return [...groups.values()].filter((_, index) => (sizes[index] ?? 0) > largest * MIN_SHARE).flat();
}

/** Takes out what is around the contributions and the controls inside of them; who wrote when stays. */
export function cleanThread(body: PageElement, posts: readonly PageElement[]): number {
  const own = new Set(posts);
  const around = new Set<PageElement>();
  for (const post of posts) for (let up = post.parent; up !== null; up = up.parent) around.add(up);
  for (const post of posts)
    removeAll(
      post,
      (element) => CONTROLS.test(element.tag) || isBoilerplateByMarkup(element) || isControlsByName(element),
    );
  return removeBoilerplate(
    body,
    0.4,
    (element) => around.has(element) || own.has(element) || hasAncestor(element, (above) => own.has(above)),
  );
}

function isControlsByName(element: PageElement): boolean {
  return (
    hasBoilerplateName(element) &&
    /share|social|toolbar|menu|vote|report|signature|\bads?\b|advert/u.test(nameOf(element))
  );
}
