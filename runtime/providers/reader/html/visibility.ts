import { attribute, findAll, plainText, rawText, removeAll, type PageElement } from './tree.ts';

/** Set by the browser from computed style before it serialises a page. */
const HIDDEN_MARK = 'data-yunsou-hidden';

const INVISIBLE_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/iu;
const HIDES = /(?:^|[^-\w])display\s*:\s*none\b/iu;
const PLAIN_CLASS = /^\s*(?:[a-z]+)?\.([\w-]+)\s*$/iu;

/** Classes that a style sheet of the page itself hides without condition (no media query, no state, no context). */
function hiddenClasses(root: PageElement): ReadonlySet<string> {
  const classes = new Set<string>();
  for (const style of findAll(root, (element) => element.tag === 'style' && !attribute(element, 'media'))) {
    const source = rawText(style).slice(0, 200_000);
    if (source.includes('@media')) continue;
    for (const rule of source.split('}')) {
      // The last opening brace: what stands before it may be the head of a block around the rule.
      const brace = rule.lastIndexOf('{');
      if (brace < 0 || !HIDES.test(rule.slice(brace + 1))) continue;
      for (const selector of rule.slice(rule.lastIndexOf('{', brace - 1) + 1, brace).split(',')) {
        const name = PLAIN_CLASS.exec(selector)?.[1];
        if (name !== undefined) classes.add(name);
      }
    }
  }
  return classes;
}

/** Names that site software and style kits in wide use hide by their own sheets: MediaWiki's sort keys, text for screen readers. */
const KNOWN_HIDDEN = new Set(['sortkey', 'sr-only', 'visually-hidden', 'visuallyhidden', 'screen-reader-text']);

function isHidden(element: PageElement, classes: ReadonlySet<string>): boolean {
  const { attributes } = element;
  if (element.tag === 'body' || element.tag === 'html') return false;
  if (attributes.has(HIDDEN_MARK)) return true;
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true;
  if (attributes.get('aria-hidden') === 'true') return true;
  if (INVISIBLE_STYLE.test(attribute(element, 'style'))) return true;
  const own = attribute(element, 'class');
  return own !== '' && own.split(/\s+/u).some((name) => classes.has(name) || KNOWN_HIDDEN.has(name));
}

/** Tells whether an element is hidden by itself; what lies inside a hidden one is hidden with it. */
export function hiddenTest(root: PageElement): (element: PageElement) => boolean {
  const classes = hiddenClasses(root);
  return (element) => isHidden(element, classes);
}

/** Takes out what a reader of the page does not see; returns how many characters that was. */
export function removeHidden(root: PageElement): number {
  const classes = hiddenClasses(root);
  const removed = removeAll(root, (element) => isHidden(element, classes));
  return removed.reduce((sum, element) => sum + plainText(element).length, 0);
}
