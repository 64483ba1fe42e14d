import { attribute, findAll, findFirst, plainText, tidyText, type PageElement } from '../html/tree.ts';
import { textOf, typesOf, type LdNode } from './json-ld.ts';
import { firstOf, type MetaMap } from './meta.ts';

const ARTICLE_TYPE =
  /^(?:Article|NewsArticle|BlogPosting|Report|TechArticle|ScholarlyArticle|LiveBlogPosting|OpinionNewsArticle|AnalysisNewsArticle|Posting|SocialMediaPosting)$/u;

export function articleNode(nodes: readonly LdNode[]): LdNode | undefined {
  return nodes.find((node) => typesOf(node).some((type) => ARTICLE_TYPE.test(type)));
}

function wordCount(text: string): number {
  return text.split(/\s+/u).length + (text.match(/[\u3040-\u30ff\u3400-\u9fff]/gu)?.length ?? 0) / 2;
}

/** Without the name of the site that many titles carry at an end. */
function withoutSiteName(title: string, headings: readonly string[]): string {
  const same = headings.find((heading) => heading.length >= 5 && title.startsWith(heading) && wordCount(heading) >= 2);
  if (same !== undefined) return same;
  const parts = title.split(/\s+[|\-–—\\/>»:·]\s+|\s*[|｜_]\s*|\s+::\s+/u);
  const first = parts[0] ?? '';
  if (parts.length < 2) return title;
  if (wordCount(first) >= 3 && first.length >= 10) {
    const cut = title.lastIndexOf(parts.at(-1) ?? '');
    const head = title.slice(0, cut).replace(/[\s|\-–—\\/>»:·｜_]+$/u, '');
    return wordCount(head) >= 3 ? head : title;
  }
  return title;
}

export function pageTitle(root: PageElement, nodes: readonly LdNode[], meta: MetaMap): string {
  const head = findFirst(root, (element) => element.tag === 'title' && element.parent?.tag !== 'svg');
  const title = head === undefined ? '' : plainText(head);
  const headings = findAll(root, (element) => element.tag === 'h1')
    .map(plainText)
    .filter((text) => text !== '');
  if (title !== '') return withoutSiteName(title, headings);
  const stated = firstOf(meta, ['og:title', 'twitter:title', 'dc.title', 'title']);
  if (stated !== '') return tidyText(stated);
  return textOf(articleNode(nodes)?.['headline']) || (headings[0] ?? (boldSubject(root) || firstHeading(root)));
}

const MAX_SUBJECT_CHARS = 120;
const MAX_WORDS_BEFORE_SUBJECT = 4;

/** A text without a headline often sets its subject in bold where the first paragraph begins, as encyclopedias do. */
function boldSubject(root: PageElement): string {
  const paragraph = findFirst(root, (element) => element.tag === 'p' && plainText(element) !== '');
  const bold = paragraph && findFirst(paragraph, (element) => /^(?:b|strong)$/u.test(element.tag));
  if (paragraph === undefined || bold === undefined) return '';
  const subject = plainText(bold);
  const before = plainText(paragraph).split(subject)[0] ?? '';
  const isEarly = before.split(/\s+/u).filter((word) => word !== '').length <= MAX_WORDS_BEFORE_SUBJECT;
  return subject.length >= 2 && subject.length <= MAX_SUBJECT_CHARS && isEarly ? subject : '';
}

function firstHeading(root: PageElement): string {
  const heading = findFirst(
    root,
    (element) =>
      /^h[2-3]$/u.test(element.tag) &&
      plainText(element) !== '' &&
      !/^(?:contents|目录|目錄|navigation menu|inhaltsverzeichnis|sommaire)$/iu.test(plainText(element)),
  );
  return heading === undefined ? '' : plainText(heading);
}

/** A date as the page states it, made ISO where it can be read without guessing. */
function plainDate(source: string): string {
  const text = tidyText(source);
  if (/^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/u.test(text)) return text;
  const time = Date.parse(text);
  return Number.isNaN(time) || !/\d{4}/u.test(text) ? text.slice(0, 60) : new Date(time).toISOString();
}

export function publishedTime(root: PageElement, nodes: readonly LdNode[], meta: MetaMap): string {
  const stated = textOf(articleNode(nodes)?.['datePublished']);
  const named = [
    'article:published_time',
    'og:published_time',
    'datepublished',
    'date',
    'dc.date',
    'dc.date.issued',
    'dcterms.created',
    'pubdate',
    'publishdate',
    'publish_date',
    'sailthru.date',
    'parsely-pub-date',
  ];
  const value = stated || firstOf(meta, named);
  if (value !== '') return plainDate(value);
  const time = findFirst(root, (element) => element.tag === 'time' && attribute(element, 'datetime') !== '');
  return time === undefined ? '' : plainDate(attribute(time, 'datetime'));
}

export function authorName(root: PageElement, nodes: readonly LdNode[], meta: MetaMap): string {
  const author = articleNode(nodes)?.['author'];
  const stated = Array.isArray(author)
    ? author
        .map(textOf)
        .filter((name) => name !== '')
        .join(', ')
    : textOf(author);
  const named =
    stated || firstOf(meta, ['author', 'article:author', 'dc.creator', 'dcterms.creator', 'parsely-author', 'byl']);
  if (named !== '' && !/^https?:/u.test(named))
    return tidyText(named)
      .replace(/^by\s+/iu, '')
      .slice(0, 200);
  const link = findFirst(
    root,
    (element) =>
      attribute(element, 'rel').split(/\s+/u).includes('author') || attribute(element, 'itemprop') === 'author',
  );
  const name = link === undefined ? '' : plainText(link);
  return name.length < 100 ? name.replace(/^by\s+/iu, '') : '';
}

export function declaredLanguage(root: PageElement, meta: MetaMap): string {
  const html = findFirst(root, (element) => element.tag === 'html');
  const body = findFirst(root, (element) => element.tag === 'body');
  const article = findAll(root, (element) => element.tag === 'article' && attribute(element, 'lang') !== '');
  const stated = [
    html === undefined ? '' : attribute(html, 'lang') || attribute(html, 'xml:lang'),
    body === undefined ? '' : attribute(body, 'lang'),
    article.length === 1 && article[0] !== undefined ? attribute(article[0], 'lang') : '',
    firstOf(meta, ['content-language', 'dc.language', 'inlanguage', 'og:locale']),
  ].find((value) => value !== '');
  const tag = (stated ?? '').split(',')[0]?.trim().replaceAll('_', '-') ?? '';
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/iu.test(tag) ? tag : '';
}
