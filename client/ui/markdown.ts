import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { splitCitations } from './citation-marks.ts';
import { h } from './element.ts';
import { guessLanguage } from './text-language.ts';

/*
 * Markdown and foreign HTML to DOM.
 *   1. Raw HTML in Markdown is text. What is rendered goes through a small allow-list in any case.
 *   2. Citations become buttons after sanitising: no page can make one.
 *   3. A block whose source did not change keeps its element.
 */

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false }).use(cjkFriendly);
markdown.disable(['image']);

const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre', 'code'],
    ...[
      'kbd',
      'strong',
      'em',
      's',
      'a',
      'hr',
      'br',
      'table',
      'thead',
      'tbody',
      'tr',
      'th',
      'td',
      'caption',
      'section',
      'nav',
    ],
  ],
  ALLOWED_ATTR: ['href', 'start', 'lang', 'colspan', 'rowspan', 'scope'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|\/|#|[a-z0-9-]+\.html)/i,
};

type HtmlPolicy = Pick<TrustedTypePolicyFactory, 'createPolicy'>;
const trustedTypes = (globalThis as { trustedTypes?: HtmlPolicy }).trustedTypes;
/** Only DOMPurify is given this policy; it parses into an inert document and returns what is left as nodes. */
const policy = trustedTypes?.createPolicy('yunsou', {
  createHTML: (html: string) => html,
  createScript: refuseScript,
  createScriptURL: refuseScript,
});

function refuseScript(): never {
  throw new TypeError('this page makes no scripts');
}

export function sanitise(html: string): DocumentFragment {
  if (!DOMPurify.isSupported) throw new TypeError('this browser cannot sanitise HTML');
  const fragment = DOMPurify.sanitize(html, {
    ...ALLOWED,
    RETURN_DOM_FRAGMENT: true,
    ...(policy === undefined ? {} : { TRUSTED_TYPES_POLICY: policy }),
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  return fragment;
}

export type CitationButton = (n: number) => HTMLElement;
export type MarkdownView = { readonly element: HTMLElement; update(source: string): void };

export function createMarkdownView(known: () => ReadonlySet<number>, citation: CitationButton): MarkdownView {
  const element = h('div', { class: 'prose' });
  let shown: { key: string; block: HTMLElement }[] = [];
  return {
    element,
    update(source) {
      const numbers = known();
      const suffix = [...numbers].join(',');
      const rendered = renderBlocks(source).map(({ key, html }) => ({ key: `${key}\u0000${suffix}`, html }));
      const fresh = rendered.filter(({ key }, index) => shown[index]?.key !== key);
      const made = makeBlocks(fresh.map(({ html }) => html));
      const next = rendered.map(({ key }, index) => {
        const old = shown[index];
        if (old?.key === key) return old;
        const block = made.shift() ?? h('section', { class: 'block' });
        finishBlock(block, numbers, citation);
        return { key, block };
      });
      next.forEach((entry, index) => {
        const old = shown[index];
        if (old === undefined) element.append(entry.block);
        else if (old !== entry) old.block.replaceWith(entry.block);
      });
      for (const gone of shown.slice(next.length)) gone.block.remove();
      shown = next;
    },
  };
}

/** Sanitised together: every call of the sanitiser makes a document of its own. Markdown cannot write a section itself. */
function makeBlocks(html: readonly string[]): HTMLElement[] {
  if (html.length === 0) return [];
  const fragment = sanitise(html.map((one) => `<section>${one}</section>`).join(''));
  return [...fragment.children].filter((one): one is HTMLElement => one instanceof HTMLElement);
}

function finishBlock(block: HTMLElement, known: ReadonlySet<number>, citation: CitationButton): void {
  block.className = 'block';
  const language = guessLanguage(block.textContent ?? '');
  if (language !== null && language !== document.documentElement.lang) block.lang = language;
  placeCitations(block, known, citation);
  for (const table of block.querySelectorAll('table')) {
    const frame = h('div', { class: 'table-frame', tabindex: 0, role: 'group' });
    table.replaceWith(frame);
    frame.append(table);
  }
}

/** Top-level blocks with the source they came from; link definitions are shared by all of them. */
function renderBlocks(source: string): { key: string; html: string }[] {
  const env = {};
  const tokens = markdown.parse(source, env);
  const lines = source.split('\n');
  const blocks: { key: string; html: string }[] = [];
  let open: Token[] = [];
  for (const token of tokens) {
    open.push(token);
    if (token.level !== 0 || token.nesting === 1) continue;
    const [from, to] = open[0]?.map ?? [0, 0];
    blocks.push({ key: lines.slice(from, to).join('\n'), html: markdown.renderer.render(open, markdown.options, env) });
    open = [];
  }
  return blocks;
}

function placeCitations(block: HTMLElement, known: ReadonlySet<number>, citation: CitationButton): void {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const inside = node.parentElement?.closest('a, code, pre');
    if ((inside === null || inside === undefined) && node.textContent?.includes('[') === true) found.push(node as Text);
  }
  for (const text of found) {
    const pieces = splitCitations(text.data, known);
    if (!pieces.some((piece) => 'citation' in piece)) continue;
    const nodes = pieces.flatMap((piece, index): (Node | string)[] => {
      const before = pieces[index - 1];
      if ('citation' in piece) {
        const tail = before !== undefined && 'text' in before ? tailOf(before.text) : '';
        const button = citation(piece.citation);
        return [tail === '' ? button : h('span', { class: 'kept-together' }, tail, button)];
      }
      const next = pieces[index + 1];
      const kept = next !== undefined && 'citation' in next ? tailOf(piece.text).length : 0;
      return [piece.text.slice(0, piece.text.length - kept)];
    });
    text.replaceWith(...nodes);
  }
}

/** A citation stays on the line of the word it belongs to: a short Latin word, or the last two characters. */
const tailOf = (text: string): string => /(?:[\p{Script=Latin}\d.,;:!?'")-]{1,24}|\S{1,2})\s?$/u.exec(text)?.[0] ?? '';
