import type { PageKind } from '#contracts/research/page.ts';
import { attribute, findAll, findFirst, plainText, type PageElement } from './tree.ts';

export type Verdict = { readonly kind: PageKind; readonly reason: string };

/** What is known of a page before its content is chosen. Lengths are in characters of visible text. */
export type PageSigns = {
  readonly root: PageElement;
  readonly title: string;
  readonly visible: string;
  /** Longest run of prose outside links; a real article has some. */
  readonly prose: number;
};

const CHALLENGE =
  /just a moment\b|checking (?:if the site connection|your browser)|verify(?:ing)? (?:that )?you are (?:a )?human|attention required!? \| cloudflare|enable javascript and cookies to continue|ddos protection by|please wait while we verify|pardon our interruption|access to this page has been denied|request unsuccessful\. incapsula|安全检查|正在(?:进行|验证).{0,8}(?:安全|人机|浏览器)|请完成(?:以下|下方)?(?:安全)?验证|访问(?:过于|太)频繁/iu;
const CAPTCHA_MARK =
  /g-recaptcha|h-captcha|cf-turnstile|geetest|arkose|funcaptcha|captcha-?(?:box|container|image|delivery)|nc_wrapper/iu;
const CAPTCHA_TEXT =
  /\bcaptcha\b|i'?m not a robot|unusual traffic|enter the characters|type the (?:characters|text)|验证码|滑动(?:完成)?验证|拖动滑块|人机验证|驗證碼/iu;
const LOGIN_TEXT =
  /\b(?:log|sign) ?in\b|\blogin\b|\bpassword\b|authenticat|members only|登录|登錄|登入|密码|密碼|anmelden|se connecter|iniciar sesión|войти/iu;
const CONSENT_TEXT =
  /\bcookies?\b|\bconsent\b|privacy (?:settings|choices|preferences)|before you continue|we value your privacy|隐私设置|同意并继续|datenschutz/iu;
const NOT_FOUND =
  /\b404\b|not found|(?:page|article|content|product)[^.]{0,30}(?:does ?n[o']t exist|no longer (?:exists|available)|could ?n[o']t be found|can ?n[o']t be found|has been (?:removed|deleted))|页面(?:不存在|未找到|已删除|找不到)|找不到(?:该|您|你)?.{0,6}(?:页面|网页|頁面)|(?:内容|文章|頁面)(?:不存在|已被?删除)|seite nicht gefunden|page introuvable|página no encontrada|страница не найдена/iu;
const SERVER_ERROR =
  /\b(?:500|502|503|504)\b[^\n]{0,40}(?:error|gateway|unavailable|timeout)|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|application error|服务器(?:内部)?错误|服务(?:暂时)?不可用/iu;
const FORBIDDEN =
  /\b403\b[^\n]{0,20}forbidden|^forbidden\b|access denied|you don'?t have permission|拒绝访问|无权访问/iu;
const SKELETON_TEXT =
  /^(?:loading|please wait|正在加载|加载中|載入中|you need to enable javascript|please enable javascript|this (?:app|site|page) (?:works best with|requires) javascript|javascript (?:is )?(?:required|disabled))/iu;
const NEEDS_SCRIPT =
  /(?:enable|requires?|turn on|activate) javascript|javascript (?:is )?(?:required|disabled|must be)|开启 ?javascript|启用 ?javascript/iu;

function passwordField(root: PageElement): boolean {
  return (
    findFirst(root, (element) => element.tag === 'input' && attribute(element, 'type').toLowerCase() === 'password') !==
    undefined
  );
}

function captchaMark(root: PageElement): boolean {
  return (
    findFirst(root, (element) => {
      if (CAPTCHA_MARK.test(`${attribute(element, 'class')} ${attribute(element, 'id')}`)) return true;
      return element.tag === 'iframe' && /captcha|turnstile|challenges\.cloudflare/iu.test(attribute(element, 'src'));
    }) !== undefined
  );
}

function headline(signs: PageSigns): string {
  const heading = findAll(signs.root, (element) => /^h[12]$/u.test(element.tag))
    .map(plainText)
    .join('\n');
  return `${signs.title}\n${heading}`;
}

/** A Chinese character says about as much as two and a half Latin letters; limits below are in Latin letters. */
function readingLength(text: string): number {
  return (
    text.length +
    1.5 * (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0)
  );
}

/** Words like these in a long text are its subject, not its state: each rule also asks for little prose. */
export function blockedVerdict(signs: PageSigns): Verdict | undefined {
  const { root, visible } = signs;
  const size = readingLength(visible);
  const prose = visible === '' ? signs.prose : signs.prose * (size / visible.length);
  const head = headline(signs);
  const isShort = size < 1500 && prose < 600;
  if (!isShort) {
    const isWall = prose < 900 && passwordField(root) && LOGIN_TEXT.test(head);
    return isWall ? { kind: 'login', reason: 'The page is a sign-in form.' } : undefined;
  }
  if (CHALLENGE.test(head) || CHALLENGE.test(visible.slice(0, 600))) {
    return { kind: 'challenge', reason: 'The site checks the browser before it shows the page.' };
  }
  if (captchaMark(root) && prose < 300) return { kind: 'captcha', reason: 'The site asks for a captcha.' };
  if (CAPTCHA_TEXT.test(head) || (size < 400 && CAPTCHA_TEXT.test(visible))) {
    return { kind: 'captcha', reason: 'The site asks for a captcha.' };
  }
  if (passwordField(root) && LOGIN_TEXT.test(`${head}\n${visible}`))
    return { kind: 'login', reason: 'The page is a sign-in form.' };
  if (size < 400 && /\b(?:log|sign) ?in (?:to|with)\b|请(?:先)?登录|請先登入/iu.test(`${head}\n${visible}`)) {
    return { kind: 'login', reason: 'The page asks to sign in.' };
  }
  return shortPageVerdict(signs, head);
}

function shortPageVerdict({ root, visible, prose }: PageSigns, head: string): Verdict | undefined {
  const start = visible.slice(0, 300);
  if (NOT_FOUND.test(head) || (visible.length < 300 && NOT_FOUND.test(start))) {
    return { kind: 'soft_404', reason: 'The page says that what was asked for does not exist.' };
  }
  if (SERVER_ERROR.test(head) || (visible.length < 300 && SERVER_ERROR.test(start))) {
    return { kind: 'error', reason: 'The page is a server error message.' };
  }
  if (FORBIDDEN.test(head) || (visible.length < 300 && FORBIDDEN.test(start))) {
    return { kind: 'error', reason: 'The site refuses access to the page.' };
  }
  const consentWords = visible.match(new RegExp(CONSENT_TEXT.source, 'giu'))?.length ?? 0;
  const hasChoice = /\b(?:accept|agree|reject|decline|manage|allow)\b|同意|接受|拒绝|akzeptieren|accepter/iu.test(
    buttonsAndText(root, visible),
  );
  if (consentWords >= 2 && hasChoice && consentWords * 130 > visible.length) {
    return { kind: 'consent', reason: 'The page only asks for consent to cookies.' };
  }
  return skeletonVerdict(root, visible, prose);
}

function buttonsAndText(root: PageElement, visible: string): string {
  return `${visible}\n${findAll(root, (element) => element.tag === 'button')
    .map(plainText)
    .join('\n')}`;
}

function skeletonVerdict(root: PageElement, visible: string, prose: number): Verdict | undefined {
  const scripts = findAll(
    root,
    (element) => element.tag === 'script' && !/json/iu.test(attribute(element, 'type')),
  ).length;
  const needsScript = findFirst(root, (element) => element.tag === 'noscript' && NEEDS_SCRIPT.test(plainText(element)));
  const isLoading = visible.length < 200 && SKELETON_TEXT.test(visible);
  if (isLoading || (visible.length < 100 && prose < 80 && (needsScript !== undefined || scripts >= 3))) {
    return { kind: 'skeleton', reason: 'The page shows nothing before its scripts have run.' };
  }
  if (visible === '') {
    if (scripts > 0) return { kind: 'skeleton', reason: 'The page shows nothing before its scripts have run.' };
    return { kind: 'empty', reason: 'The page holds no visible text.' };
  }
  return undefined;
}
