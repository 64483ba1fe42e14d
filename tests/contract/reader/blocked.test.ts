import { describe, expect, it } from 'vitest';
import type { ReadPage } from '#contracts/research/page.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';

const reader = createReader();
const read = (html: string): Promise<ReadPage> =>
  reader.read({
    bytes: new TextEncoder().encode(html),
    contentType: 'text/html; charset=utf-8',
    url: 'http://site.test/',
  });
const LONG =
  'The service checks requests before it lets them pass, which takes a moment, and most visitors never notice that anything happened at all. '.repeat(
    8,
  );

const BLOCKED: readonly (readonly [string, string, string])[] = [
  [
    'challenge',
    'challenge page',
    '<title>Just a moment...</title><h1>site.test</h1><p>Checking if the site connection is secure</p><noscript>Enable JavaScript and cookies to continue</noscript>',
  ],
  ['challenge', 'Chinese challenge', '<title>安全检查</title><p>正在进行安全验证，请稍候。</p>'],
  ['captcha', 'captcha widget', '<title>Check</title><p>Please confirm.</p><div class="g-recaptcha"></div>'],
  ['captcha', 'Chinese captcha', '<title>验证</title><p>请输入验证码</p><input>'],
  [
    'login',
    'sign-in form',
    '<title>Sign in</title><h1>Sign in</h1><form><input name=u><input type=password name=p><button>Sign in</button></form><p>Forgot your password?</p>',
  ],
  [
    'login',
    'Chinese sign-in form',
    '<title>用户登录</title><form><input><input type="password"></form><p>请先登录</p>',
  ],
  [
    'consent',
    'consent only',
    '<title>Before you continue</title><p>We use cookies and data. Manage cookies or accept all cookies to continue.</p><button>Accept all</button>',
  ],
  [
    'soft_404',
    'not found with status 200',
    '<title>Page not found</title><h1>404</h1><p>Sorry, this page does not exist.</p>',
  ],
  ['soft_404', 'Chinese not found', '<title>提示</title><p>您访问的页面不存在或已删除</p>'],
  ['error', 'server error', '<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><p>nginx</p>'],
  [
    'error',
    'refused',
    '<title>Access Denied</title><h1>Access Denied</h1><p>You do not have access. Reference #18.</p>',
  ],
  [
    'skeleton',
    'application shell',
    '<title>App</title><div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript><script src=a></script>',
  ],
  ['skeleton', 'loading', '<title>App</title><p>Loading...</p><script></script>'],
  ['empty', 'nothing', '<title>Nothing</title><body></body>'],
];

const CONTENT: readonly (readonly [string, string])[] = [
  [
    'an article about challenges',
    `<title>Why sites say "Just a moment..."</title><h1>Just a moment: how bot checks work</h1><p>${LONG}</p><p>Checking your browser is what they call it. ${LONG}</p>`,
  ],
  [
    'an article about captchas',
    `<title>The history of the captcha</title><h1>The history of the captcha</h1><p>${LONG}</p><p>${LONG}</p>`,
  ],
  [
    'an article with a sign-in box',
    `<title>News</title><form><input type=password></form><article><h1>News</h1><p>${LONG}</p><p>Log in to comment.</p><p>${LONG}</p></article>`,
  ],
  [
    'an article with a cookie banner',
    `<div class=cookie-banner>We use cookies. Accept all cookies?<button>Accept</button></div><article><h1>Ships</h1><p>${LONG}</p><p>${LONG}</p></article>`,
  ],
  [
    'documentation of the status 404',
    `<title>404 Not Found - HTTP</title><h1>404 Not Found</h1><p>${LONG}</p><h2>Status</h2><p>${LONG}</p>`,
  ],
  [
    'a short help page about signing in',
    '<title>Help</title><h1>Sign-in token</h1><p>The token stands in the address that npm start prints. It is valid once.</p>',
  ],
  ['a short ordinary page', '<title>Opening hours</title><h1>Opening hours</h1><p>Monday to Friday, 9 to 17.</p>'],
  ['a short Chinese page', '<title>停止任务</title><h1>停止任务</h1><p>点击进度卡片下方的“停止”按钮。</p>'],
];

describe('pages that are no content', () => {
  it.each(BLOCKED)('[BR-08] %s: %s', async (kind, _name, html) => {
    const page = await read(html);
    expect(page.page_kind).toBe(kind);
    expect(page.blocked).toBeTruthy();
  });

  it.each(CONTENT)('[BR-08] not blocked: %s', async (_name, html) => {
    const page = await read(html);
    expect(page.blocked).toBeUndefined();
    expect(page.text.length).toBeGreaterThan(10);
  });
});
