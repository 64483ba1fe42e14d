import type { PageKind } from '#contracts/research/page.ts';
import { typesOf, type LdNode } from '../fields/json-ld.ts';
import { articleNode } from '../fields/metadata.ts';
import { firstOf, type MetaMap } from '../fields/meta.ts';
import { proseLength } from './boilerplate.ts';
import { linkDensity } from './density.ts';
import { isLayoutTable } from './table.ts';
import { isThread } from './thread.ts';
import { attribute, findAll, findFirst, plainText, type PageElement } from './tree.ts';

type Signs = {
  readonly root: PageElement;
  readonly nodes: readonly LdNode[];
  readonly meta: MetaMap;
  readonly isProduct: boolean;
};

const DOCS_GENERATOR =
  /docusaurus|sphinx|mkdocs|gitbook|vitepress|vuepress|javadoc|rustdoc|typedoc|jsdoc|docfx|antora|asciidoc|doxygen|pandoc|mediawiki/iu;
const WIKI_CLASS = /(?:^|\s)(?:mw-parser-output|mw-headline|wikitable|infobox|mw-body)(?:\s|$)/u;

function dataTableShare(root: PageElement, total: number): number {
  const tables = findAll(root, (element) => element.tag === 'table' && !isLayoutTable(element));
  const outer = tables.filter((table) => !tables.some((other) => other !== table && contains(other, table)));
  return total === 0 ? 0 : outer.reduce((sum, table) => sum + plainText(table).length, 0) / total;
}

function contains(outer: PageElement, inner: PageElement): boolean {
  for (let up = inner.parent; up !== null; up = up.parent) if (up === outer) return true;
  return false;
}

function hasType(nodes: readonly LdNode[], pattern: RegExp): boolean {
  return nodes.some((node) => typesOf(node).some((type) => pattern.test(type)));
}

/** No menu, no side bar, no scripts of a site around it: what is there is the content. */
export function isBareDocument(root: PageElement): boolean {
  const chrome = findFirst(
    root,
    (element) =>
      /^(?:nav|footer|aside|form|article)$/u.test(element.tag) ||
      /^(?:navigation|banner|contentinfo)$/u.test(attribute(element, 'role')),
  );
  if (chrome !== undefined) return false;
  return findAll(root, (element) => element.tag === 'script').length <= 2 && linkDensity(root) < 0.5;
}

/** Which way of reading suits the page; decided before its text is chosen. */
export function contentKind({ root, nodes, meta, isProduct }: Signs): PageKind {
  if (isProduct) return 'product';
  if (hasType(nodes, /^(?:QAPage|DiscussionForumPosting|Question)$/u)) return 'forum';
  const total = plainText(root).length;
  const isWiki = findFirst(root, (element) => WIKI_CLASS.test(attribute(element, 'class'))) !== undefined;
  const share = dataTableShare(root, total);
  if (isWiki || DOCS_GENERATOR.test(firstOf(meta, ['generator']))) return share > 0.6 ? 'table' : 'documentation';
  if (articleNode(nodes) !== undefined || firstOf(meta, ['og:type']) === 'article') return 'article';
  if (isThread(root)) return 'forum';
  if (share > 0.5) return 'table';
  const codes = findAll(root, (element) => element.tag === 'pre').length;
  const headings = findAll(root, (element) => /^h[1-4]$/u.test(element.tag)).length;
  if (codes >= 3 && headings >= 3) return 'documentation';
  if (isBareDocument(root) && headings >= 1) return 'documentation';
  const prose = proseLength(root);
  if (linkDensity(root) > 0.75 && longestParagraph(root) < 400) return 'listing';
  return prose < 200 && linkDensity(root) > 0.5 ? 'listing' : 'article';
}

function longestParagraph(root: PageElement): number {
  return findAll(root, (element) => element.tag === 'p').reduce(
    (most, element) => Math.max(most, proseLength(element)),
    0,
  );
}
