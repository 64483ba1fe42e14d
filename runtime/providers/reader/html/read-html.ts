import { detectLanguage } from '#contracts/text/language.ts';
import type { FieldOrigins, PageFields, PageKind, Unread } from '#contracts/research/page.ts';
import { readJsonLd } from '../fields/json-ld.ts';
import { readMeta } from '../fields/meta.ts';
import { authorName, declaredLanguage, pageTitle, publishedTime } from '../fields/metadata.ts';
import { isProduct, productFields } from '../fields/product.ts';
import { chooseLanguage } from '../language.ts';
import { MAX_TEXT_CHARS, TextBuilder } from '../text-builder.ts';
import type { FormatResult } from '../format-result.ts';
import { blockedVerdict } from './blocked.ts';
import { proseLength, removeSilent } from './boilerplate.ts';
import { emitBlocks } from './emit-blocks.ts';
import { contentKind } from './page-kind.ts';
import { parseHtml } from './parse-html.ts';
import { selectRoots } from './select-roots.ts';
import { attribute, findAll, plainText, type PageElement } from './tree.ts';
import { trimArticle } from './trim-article.ts';
import { removeHidden } from './visibility.ts';

type Facts = {
  readonly title: string;
  readonly declared: string;
  readonly fields: PageFields;
  readonly origins: FieldOrigins;
  readonly kind: PageKind;
};

function compact(fields: Record<string, string | undefined>): PageFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  ) as PageFields;
}

function factsOf(root: PageElement, url: string): Facts {
  const nodes = readJsonLd(root);
  const meta = readMeta(root);
  const product = productFields({ root, nodes, meta, url });
  const fields = compact({
    ...product.fields,
    published: publishedTime(root, nodes, meta),
    author: authorName(root, nodes, meta),
  });
  const kind = contentKind({ root, nodes, meta, isProduct: isProduct(fields, nodes, meta) });
  return {
    title: pageTitle(root, nodes, meta),
    declared: declaredLanguage(root, meta),
    fields,
    origins: product.origins,
    kind,
  };
}

/** What stands on the page and cannot be read here; stated, so that the reading does not look complete. */
function unreadParts(root: PageElement): Unread[] {
  const unread: Unread[] = [];
  for (const mark of findAll(root, (element) => element.attributes.has('data-yunsou-unread'))) {
    unread.push({ what: mark.tag, reason: attribute(mark, 'data-yunsou-unread') });
  }
  const frames = findAll(
    root,
    (element) =>
      (element.tag === 'iframe' || element.tag === 'frame') && /^https?:|^\//u.test(attribute(element, 'src')),
  );
  if (frames.length > 0)
    unread.push({ what: `${frames.length} frame(s)`, reason: 'other documents, not part of this one' });
  return unread.slice(0, 50);
}

/** A title that only repeats itself above an article adds nothing; elsewhere it is the first block. */
function addTitle(out: TextBuilder, facts: Facts, roots: readonly PageElement[]): void {
  if (facts.kind === 'article' || facts.kind === 'product' || facts.title === '') return;
  const hasHeadline = roots.some(
    (root) => root.tag === 'h1' || findAll(root, (element) => element.tag === 'h1').length > 0,
  );
  if (!hasHeadline) out.add({ kind: 'title', text: facts.title });
}

export function readHtml(html: string, url: string): FormatResult {
  const root = parseHtml(html);
  const facts = factsOf(root, url);
  const unread = unreadParts(root);
  const hiddenChars = removeHidden(root);
  if (hiddenChars > 0) unread.push({ what: `${hiddenChars} characters`, reason: 'hidden on the page' });
  const body = findAll(root, (element) => element.tag === 'body')[0] ?? root;
  const bare = visibleCopy(body);
  const verdict = blockedVerdict({
    root,
    title: facts.title,
    visible: plainText(bare),
    prose: proseLength(bare),
    kind: facts.kind,
  });
  removeSilent(root);
  const { roots, omittedChars, items } = selectRoots(root, facts.kind);
  if (omittedChars > 0)
    unread.push({ what: `${omittedChars} characters`, reason: 'navigation and other text around the content' });
  const out = new TextBuilder();
  addTitle(out, facts, roots);
  const { blocks, tables } = emitBlocks(roots, items);
  for (const block of facts.kind === 'article' ? trimArticle(blocks, facts.title) : blocks) out.add(block);
  if (out.omittedChars > 0)
    unread.push({ what: `${out.omittedChars} characters`, reason: `truncated after ${MAX_TEXT_CHARS} characters` });
  const isEmpty = verdict === undefined && out.text === '';
  return {
    title: facts.title,
    text: out.text,
    language: chooseLanguage(facts.declared, out.text, detectLanguage(out.text)),
    blocks: out.blocks,
    tables,
    fields: facts.fields,
    field_origins: facts.origins,
    page_kind: verdict?.kind ?? (isEmpty ? 'empty' : facts.kind),
    ...(verdict === undefined && !isEmpty ? {} : { blocked: verdict?.reason ?? 'The page holds no visible text.' }),
    unread,
  };
}

/** The page without scripts and controls, for measuring what can be seen; the original stays as it is. */
function visibleCopy(element: PageElement): PageElement {
  const copy: PageElement = { ...element, children: [] };
  for (const child of element.children) {
    if (child.kind === 'text') copy.children.push(child);
    else if (!/^(?:head|title|script|style|noscript|template|svg|iframe|option|button)$/u.test(child.tag))
      copy.children.push(visibleCopy(child));
  }
  return copy;
}
