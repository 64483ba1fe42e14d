import { isLayoutTable } from './table.ts';
import { attribute, findAll, hasAncestor, hasTag, nameOf, plainText, removeAll, type PageElement } from './tree.ts';
import { SILENT_TAGS } from './tags.ts';

const BOILERPLATE_ROLES =
  /^(?:navigation|banner|complementary|contentinfo|search|menu|menubar|alert|alertdialog|dialog|toolbar|tablist|listbox)$/u;

/** Parts of class names and ids that sites use for what surrounds their content. Whole words, after camelCase and dashes are split. */
const BOILERPLATE_WORDS = new Set(
  (
    'ad ads adv advert adverts advertisement advertising adsense adslot banner breadcrumb breadcrumbs combx comment comments commentlist ' +
    'disqus cookie cookies gdpr consent footer masthead menu nav navbar navigation topnav sitenav subnav related recommend recommended ' +
    'recommendation recommendations recirc share shares sharing sharebar sharethis addthis addtoany social sidebar sidebars rail sponsor ' +
    'sponsored subscribe subscription subscriptions newsletter newsletters pagination pager popup modal overlay lightbox promo promos promotion ' +
    'toolbar rss trending popular mostread mostpopular signup signin login register outbrain taboola zergnet revcontent skyscraper ' +
    'shoutbox replies respond yarpp jp-relatedposts paywall donate printonly editsection skip skiplink ' +
    'gallery slideshow carousel ' +
    'copyright tags taglist tagcloud keywords byline dateline timestamp postmeta entrymeta authorbox authorbio toc'
  ).split(' '),
);
const BOILERPLATE_PHRASES =
  /(?:^|[\s_-])(?:read[-_]?(?:more|next|also)|more[-_]?(?:from|stories|news|on|like)|you[-_]?may|see[-_]?also|next[-_]?(?:post|article)|prev(?:ious)?[-_]?(?:post|article)|post[-_]?(?:nav|meta|tags|footer|author)|entry[-_]?(?:meta|footer|utility)|article[-_]?(?:meta|tags|footer|share|tools)|author[-_]?(?:info|box|bio|card)|back[-_]?to[-_]?top|site[-_]?(?:header|footer)|page[-_]?(?:header|footer)|global[-_]?(?:header|footer)|jp[-_]relatedposts|wp[-_]?caption[-_]?credit|sr[-_]only|screen[-_]reader|visually[-_]hidden)/u;

function wordsOf(name: string): string[] {
  return name.split(/[^a-z0-9]+/u).filter((word) => word !== '');
}

export function hasBoilerplateName(element: PageElement): boolean {
  const own = `${attribute(element, 'class')} ${attribute(element, 'id')}`;
  if (own.trim() === '') return false;
  const split = own.replace(/([a-z])([A-Z])/gu, '$1-$2').toLowerCase();
  if (isEmbeddedPost(element)) return false;
  if (isHiddenByKit(own)) return true;
  return wordsOf(split).some((word) => BOILERPLATE_WORDS.has(word)) || BOILERPLATE_PHRASES.test(nameOf(element));
}

/** Style kits hide by the bare word, and show again on wide screens by a second one. */
function isHiddenByKit(names: string): boolean {
  return /(?:^|\s)hidden(?:\s|$)/u.test(names) && !/(?:^|\s)(?:sm|md|lg|xl|2xl):/u.test(names);
}

/** A post of another site set into the text is a quotation, whatever kind of site it comes from. */
export function isEmbeddedPost(element: PageElement): boolean {
  return /embed|tweet/u.test(nameOf(element)) && (element.tag === 'blockquote' || hasTag(element, 'blockquote'));
}

export function isBoilerplateByMarkup(element: PageElement): boolean {
  if (element.tag === 'nav' || element.tag === 'menu' || element.tag === 'search') return true;
  return BOILERPLATE_ROLES.test(attribute(element, 'role').toLowerCase());
}

/** Words outside of links: what a page says itself. */
export function proseLength(element: PageElement): number {
  let length = 0;
  for (const child of element.children) {
    if (child.kind === 'text') length += child.text.trim().length;
    else if (child.tag !== 'a' && !SILENT_TAGS.has(child.tag)) length += proseLength(child);
  }
  return length;
}

/**
 * Takes out navigation, banners, comments, consent boxes and the like. Something that holds a good part of all prose
 * is kept whatever its name says: names lie, and a lost article is worse than a kept menu.
 */
export function removeBoilerplate(
  root: PageElement,
  keptShare: number,
  isKept: (element: PageElement) => boolean = () => false,
): number {
  const total = proseLength(root);
  const tables = new Set(findAll(root, (element) => element.tag === 'table' && !isLayoutTable(element)));
  const removed = removeAll(root, (element) => {
    if (element.tag === 'html' || element.tag === 'body' || element.tag === 'main' || element.tag === 'article')
      return false;
    const isSuspect =
      isBoilerplateByMarkup(element) ||
      element.tag === 'footer' ||
      element.tag === 'aside' ||
      hasBoilerplateName(element);
    // The cells of a table are its data, whatever they are called.
    if (!isSuspect || isKept(element) || (tables.size > 0 && hasAncestor(element, (above) => tables.has(above))))
      return false;
    return proseLength(element) < total * keptShare;
  });
  return removed.reduce((sum, element) => sum + plainText(element).length, 0);
}

export function removeSilent(root: PageElement): void {
  removeAll(root, (element) => SILENT_TAGS.has(element.tag) && element.tag !== 'head');
}
