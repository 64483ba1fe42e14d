import type { PageKind } from '#contracts/research/page.ts';
import { attribute, findAll, findFirst, plainText, type PageElement } from './tree.ts';
import * as words from './wall-words.ts';

export type Verdict = { readonly kind: PageKind; readonly reason: string };

/** What is known of a page before its content is chosen. Lengths are in characters of visible text. */
export type PageSigns = {
  readonly root: PageElement;
  readonly title: string;
  readonly visible: string;
  /** Longest run of prose outside links; a real article has some. */
  readonly prose: number;
  /** What the page would be if it were content. */
  readonly kind: PageKind;
};

/** As `PageSigns`, with what follows from them. */
type Looks = PageSigns & {
  readonly size: number;
  readonly head: string;
  /** Length of the sentences that speak of something else than a wall. */
  readonly ownWords: number;
};

/** So much of its own to say, and a page is content whatever else stands on it. */
const CONTENT_CHARS = 200;
const MAX_WALL_CHARS = 1500;
const MAX_CONSENT_CHARS = 6000;
/** Headings longer than this say more than what a page is. */
const MAX_STATE_HEADING = 60;
/** A heading that promises an explanation. */
const EXPLAINS =
  /^(?:how|why|what|when)\b|^(?:warum|wie|was ist|pourquoi|comment|qu.est-ce|por qué|cómo)(?=\s)|^(?:如何|怎么|为什么|为何|什么是)/iu;

function passwordField(root: PageElement): boolean {
  return (
    findFirst(root, (element) => element.tag === 'input' && attribute(element, 'type').toLowerCase() === 'password') !==
    undefined
  );
}

function captchaMark(root: PageElement): boolean {
  return (
    findFirst(root, (element) => {
      if (words.CAPTCHA_MARK.test(`${attribute(element, 'class')} ${attribute(element, 'id')}`)) return true;
      return element.tag === 'iframe' && /captcha|turnstile|challenges\.cloudflare/iu.test(attribute(element, 'src'));
    }) !== undefined
  );
}

function headline(signs: PageSigns): string {
  const headings = findAll(signs.root, (element) => /^h[1-3]$/u.test(element.tag)).map(plainText);
  return [signs.title, ...headings]
    .filter((heading) => heading.length <= MAX_STATE_HEADING && !EXPLAINS.test(heading))
    .join('\n');
}

/** A Chinese character says about as much as two and a half Latin letters; limits are in Latin letters. */
function readingLength(text: string): number {
  return (
    text.length +
    1.5 * (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0)
  );
}

const NO_PROSE =
  /^(?:a|nav|header|footer|script|style|noscript|template|button|select|option|svg|iframe|head|title|label|h[1-6])$/u;
const BREAKS = /^(?:p|div|li|td|th|section|article|main|ul|ol|table|tr|form|br|dd|dt|blockquote|pre)$/u;

function proseText(root: PageElement): string {
  let text = '';
  const visit = (element: PageElement): void => {
    for (const child of element.children) {
      if (child.kind === 'text') text += child.text.replace(/\s+/gu, ' ');
      else if (!NO_PROSE.test(child.tag)) {
        if (BREAKS.test(child.tag)) text += '\n';
        visit(child);
        if (BREAKS.test(child.tag)) text += '\n';
      }
    }
  };
  visit(root);
  return text;
}

function ownWordsOf(root: PageElement): number {
  return proseText(root)
    .split(/\n|(?<=[.!?])\s+|(?<=[。！？])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => readingLength(sentence) >= 25 && !words.WALL_VOCABULARY.test(sentence))
    .reduce((sum, sentence) => sum + readingLength(sentence), 0);
}

/** Text set as code under several headings is a manual, also of what else would be a wall. */
function isManual(root: PageElement): boolean {
  const count = (tag: RegExp): number => findAll(root, (element) => tag.test(element.tag)).length;
  return count(/^pre$/u) >= 2 && count(/^h[2-4]$/u) >= 2;
}

/** Words like these in a page with something of its own to say are its subject, not its state. */
export function blockedVerdict(signs: PageSigns): Verdict | undefined {
  const { root, visible } = signs;
  const looks: Looks = {
    ...signs,
    size: readingLength(visible),
    head: headline(signs),
    ownWords: visible.length > 3 * MAX_CONSENT_CHARS ? Number.MAX_SAFE_INTEGER : ownWordsOf(root),
  };
  if (/^(?:product|table|forum)$/u.test(signs.kind) || isManual(root)) return undefined;
  if (looks.ownWords >= CONTENT_CHARS) return looks.ownWords < 3 * CONTENT_CHARS ? signInForm(looks) : undefined;
  if (looks.size >= MAX_WALL_CHARS || looks.prose >= 600) return consentVerdict(looks) ?? longLogin(looks);
  return (
    checkVerdict(looks) ?? loginVerdict(looks) ?? stateVerdict(looks) ?? consentVerdict(looks) ?? skeletonVerdict(looks)
  );
}

/** A form under a heading that says just that; what the site praises beside it does not make it an article. */
function signInForm({ root, head }: Looks): Verdict | undefined {
  const heading = head.split('\n').find((line) => words.LOGIN_TEXT.test(line) && line.length <= 30);
  if (heading === undefined || !passwordField(root)) return undefined;
  return { kind: 'login', reason: 'The page is a sign-in form.' };
}

function longLogin(looks: Looks): Verdict | undefined {
  return looks.prose < 900 ? signInForm(looks) : undefined;
}

function checkVerdict({ root, head, visible, size }: Looks): Verdict | undefined {
  const hasMark = captchaMark(root);
  if (words.CAPTCHA_TEXT.test(head) || (hasMark && words.CAPTCHA_TEXT.test(visible)))
    return { kind: 'captcha', reason: 'The site asks for a captcha.' };
  if (words.CHALLENGE.test(head) || words.CHALLENGE.test(proseText(root).slice(0, 600)))
    return { kind: 'challenge', reason: 'The site checks the browser before it shows the page.' };
  if (hasMark || (size < 400 && words.CAPTCHA_TEXT.test(visible)))
    return { kind: 'captcha', reason: 'The site asks for a captcha.' };
  return undefined;
}

function loginVerdict({ root, head, visible, size }: Looks): Verdict | undefined {
  if (passwordField(root) && words.LOGIN_TEXT.test(`${head}\n${visible}`))
    return { kind: 'login', reason: 'The page is a sign-in form.' };
  // A menu with a link to sign in says nothing about the page; a heading or a sentence of its own does.
  if (words.MUST_SIGN_IN.test(head) || (size < 400 && words.MUST_SIGN_IN.test(proseText(root))))
    return { kind: 'login', reason: 'The page asks to sign in.' };
  return undefined;
}

function stateVerdict({ root, head, visible, size }: Looks): Verdict | undefined {
  const start = visible.length < 300 ? visible : proseText(root).trim().slice(0, 300);
  const says = (pattern: RegExp): boolean => pattern.test(head) || (size < 700 && pattern.test(start));
  if (says(words.NOT_FOUND))
    return { kind: 'soft_404', reason: 'The page says that what was asked for does not exist.' };
  if (says(words.SERVER_ERROR)) return { kind: 'error', reason: 'The page is a server error message.' };
  if (says(words.FORBIDDEN)) return { kind: 'error', reason: 'The site refuses access to the page.' };
  return undefined;
}

function consentVerdict({ root, visible, size }: Looks): Verdict | undefined {
  if (size > MAX_CONSENT_CHARS) return undefined;
  const mentions = visible.match(words.CONSENT_TEXT)?.length ?? 0;
  const buttons = findAll(root, (element) => element.tag === 'button' || attribute(element, 'role') === 'button');
  const hasChoice = buttons.some((button) => words.CONSENT_CHOICE.test(plainText(button)));
  if (mentions >= 2 && mentions * 130 > visible.length && (hasChoice || words.CONSENT_CHOICE.test(visible)))
    return { kind: 'consent', reason: 'The page only asks for consent to cookies.' };
  return undefined;
}

function skeletonVerdict({ root, visible, prose }: Looks): Verdict | undefined {
  const scripts = findAll(
    root,
    (element) => element.tag === 'script' && !/json/iu.test(attribute(element, 'type')),
  ).length;
  const needsScript = findFirst(
    root,
    (element) => element.tag === 'noscript' && words.NEEDS_SCRIPT.test(plainText(element)),
  );
  const own = proseText(root).trim();
  const isLoading = words.SKELETON_TEXT.test(own) && own.length < 200;
  if (isLoading || (visible.length < 100 && prose < 80 && (needsScript !== undefined || scripts >= 3)))
    return { kind: 'skeleton', reason: 'The page shows nothing before its scripts have run.' };
  if (visible !== '') return undefined;
  if (scripts > 0) return { kind: 'skeleton', reason: 'The page shows nothing before its scripts have run.' };
  return { kind: 'empty', reason: 'The page holds no visible text.' };
}
