import type { PageKind } from '#contracts/research/page.ts';
import { bare, framed } from './wall-frame.ts';

/** A page and what it is; a wall is never content, content is never a wall. */
export type FixturePage = { readonly name: string; readonly kind: PageKind; readonly html: string };

const page = (kind: PageKind, name: string, html: string): FixturePage => ({ kind, name, html });
const LINKS = [
  'Ferries',
  'Tides',
  'Harbour master',
  'Fish market',
  'Lighthouse tours',
  'Sailing school',
  'Boat sheds',
  'Old town',
]
  .map((words) => `<li><a href="/${words.toLowerCase().replaceAll(' ', '-')}">${words}</a></li>`)
  .join('');

const CHALLENGES: readonly FixturePage[] = [
  page(
    'challenge',
    'a check before the site, with its noscript',
    bare(
      'Just a moment...',
      '<div class="main-wrapper"><h1 class="zone-name-title">harbour.test</h1><h2 id="challenge-running">Checking if the site connection is secure</h2><noscript><div>Enable JavaScript and cookies to continue</div></noscript><div id="challenge-body-text">harbour.test needs to review the security of your connection before proceeding.</div></div><div class="footer">Ray ID: 8f1c</div>',
    ),
  ),
  page(
    'challenge',
    'a check with a widget',
    bare(
      'harbour.test',
      '<h1>harbour.test</h1><p>Verifying you are human. This may take a few seconds.</p><div class="cf-turnstile"></div>',
    ),
  ),
  page(
    'challenge',
    'an interruption',
    bare(
      'Pardon Our Interruption',
      '<h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen: you are a power user moving through this website with super-human speed, or a plugin is preventing JavaScript from running. After completing the step below, you will regain access.</p>',
    ),
  ),
  page(
    'challenge',
    'Chinese check',
    bare(
      '安全验证',
      '<div><h3>正在进行浏览器安全检查</h3><p>请稍候，完成后将自动跳转。</p></div><script src="/a.js"></script>',
    ),
  ),
  page(
    'challenge',
    'Russian check',
    bare(
      'Проверка браузера',
      '<h1>Проверка браузера перед переходом на сайт</h1><p>Процесс автоматический. Ваш браузер перенаправит вас на запрошенную страницу.</p>',
    ),
  ),
  page(
    'challenge',
    'German check',
    bare(
      'Einen Moment bitte',
      '<h1>Einen Moment bitte</h1><p>Wir prüfen Ihren Browser, bevor Sie auf die Seite zugreifen.</p><script></script>',
    ),
  ),
  page(
    'challenge',
    'blocked by a firewall',
    bare(
      'Attention Required! | Cloudflare',
      '<h1>Sorry, you have been blocked</h1><h2>You are unable to access harbour.test</h2><p>This website is using a security service to protect itself from online attacks. The action you just performed triggered the security solution. There are several actions that could trigger this block.</p>',
    ),
  ),
];

const CAPTCHAS: readonly FixturePage[] = [
  page(
    'captcha',
    'unusual traffic',
    bare(
      'https://harbour.test/search',
      '<form id="captcha-form"><div class="g-recaptcha"></div></form><p>Our systems have detected unusual traffic from your computer network. This page checks to see if it is really you sending the requests, and not a robot.</p>',
    ),
  ),
  page(
    'captcha',
    'a widget in a frame of the site',
    framed(
      'Harbour Post',
      '<h1>One more step</h1><p>Please complete the security check to access the site.</p><iframe src="https://captcha.test/hcaptcha?x=1"></iframe>',
    ),
  ),
  page(
    'captcha',
    'slider in Chinese',
    bare(
      '滑动验证页面',
      '<div id="nc_1_wrapper" class="nc_wrapper"><span>请按住滑块，拖动到最右边</span></div><p>亲，请拖动下方滑块完成验证</p>',
    ),
  ),
  page(
    'captcha',
    'letters of a picture',
    bare(
      'Robot Check',
      '<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you are not a robot. For best results, please make sure your browser is accepting cookies.</p><img src="/captcha/1.jpg"><input name="field"><button>Continue shopping</button>',
    ),
  ),
  page(
    'captcha',
    'press and hold',
    bare(
      'harbour.test',
      '<h1>Before we continue...</h1><p>Press &amp; Hold to confirm you are a human (and not a bot).</p><div id="px-captcha"></div>',
    ),
  ),
  page(
    'captcha',
    'Japanese',
    bare(
      '確認',
      '<h1>ロボットではないことを確認してください</h1><p>画像に表示されている文字を入力してください。</p><input><div class="h-captcha"></div>',
    ),
  ),
];

const LOGINS: readonly FixturePage[] = [
  page(
    'login',
    'a form in the frame of its site',
    framed(
      'Sign in – Harbour Post',
      '<h1>Sign in</h1><form><label>Email <input type="email"></label><label>Password <input type="password"></label><button>Sign in</button></form><p><a href="/forgot">Forgot password?</a> New here? <a href="/join">Create an account</a></p>',
    ),
  ),
  page(
    'login',
    'Chinese form',
    bare(
      '用户登录',
      '<h2>账号密码登录</h2><form><input name="user"><input type="password" name="pwd"><button>登录</button></form><p>其他登录方式：微信 QQ 微博</p>',
    ),
  ),
  page(
    'login',
    'German form',
    bare(
      'Anmelden',
      '<h1>Anmelden</h1><form><input type="email"><input type="password"><button>Anmelden</button></form><p>Noch kein Konto? Jetzt registrieren und alle Vorteile nutzen.</p>',
    ),
  ),
  page(
    'login',
    'other accounts only',
    bare(
      'Log in to Tidal Notes',
      '<h1>Log in to Tidal Notes</h1><button>Continue with Google</button><button>Continue with Apple</button><p>By continuing you agree to the terms of use.</p>',
    ),
  ),
  page(
    'login',
    'asked to sign in before reading',
    framed(
      'Members area',
      '<h1>You must be logged in to view this page</h1><p>Please log in or register to continue.</p>',
    ),
  ),
  page(
    'login',
    'Japanese form',
    bare(
      'ログイン',
      '<h1>ログイン</h1><form><input type="text"><input type="password"><button>ログイン</button></form><p>パスワードを忘れた方はこちら</p>',
    ),
  ),
  page(
    'login',
    'form with advertising beside it',
    framed(
      'Log in',
      `<section><h1>Welcome back</h1><form><input type="email"><input type="password"><button>Log in</button></form></section><section><h2>Why join?</h2><ul><li>Read every story</li><li>Save articles for later</li><li>Support local reporting</li></ul></section>`,
    ),
  ),
];

const CONSENTS: readonly FixturePage[] = [
  page(
    'consent',
    'before you continue',
    bare(
      'Before you continue',
      '<h1>Before you continue</h1><p>We use cookies and data to deliver and maintain our services, track outages and measure audience engagement. If you choose to accept all, we will also use cookies and data to personalise content and ads.</p><button>Reject all</button><button>Accept all</button>',
    ),
  ),
  page(
    'consent',
    'German',
    bare(
      'harbour.test',
      '<h2>Wir respektieren Ihre Privatsphäre</h2><p>Wir und unsere Partner verwenden Cookies, um Informationen auf einem Gerät zu speichern. Mit Ihrer Einwilligung verarbeiten wir personenbezogene Daten. Cookies können Sie jederzeit ablehnen.</p><button>Alle akzeptieren</button><button>Ablehnen</button>',
    ),
  ),
  page(
    'consent',
    'French',
    bare(
      'harbour.test',
      '<h2>Le respect de votre vie privée est notre priorité</h2><p>Nos partenaires et nous utilisons des cookies. Vous pouvez accepter ou refuser ces cookies à tout moment. Votre consentement est conservé six mois.</p><button>Tout accepter</button><button>Continuer sans accepter</button>',
    ),
  ),
  page(
    'consent',
    'pay or consent, with a list of partners',
    bare(
      'We value your privacy',
      `<h1>We value your privacy</h1><p>We and our 842 partners store and access information on a device, such as cookies, and process personal data. With your consent we may use precise location. You may accept, or reject where no consent is needed.</p><ul>${Array.from({ length: 12 }, (_, at) => `<li>Partner ${at + 1}: cookies kept for ${at + 1} months, consent or legitimate interest</li>`).join('')}</ul><button>Accept all</button><button>Manage options</button>`,
    ),
  ),
  page(
    'consent',
    'Chinese',
    bare(
      '隐私设置',
      '<h2>隐私设置</h2><p>我们使用 Cookie 来改善您的体验。请选择是否同意使用全部 Cookie。</p><button>全部接受</button><button>拒绝</button>',
    ),
  ),
];

const MISSING: readonly FixturePage[] = [
  page(
    'soft_404',
    'with menu, links and a search field',
    framed(
      'Page not found',
      `<h1>Page not found</h1><p>We can’t find the page you are looking for. It may have moved.</p><form><input name="q"><button>Search</button></form><h2>Popular</h2><ul>${LINKS}</ul>`,
    ),
  ),
  page(
    'soft_404',
    'a joke and a number',
    bare('Oops!', '<h1>404</h1><p>Oops! Looks like this boat has sailed.</p><a href="/">Back to the harbour</a>'),
  ),
  page('soft_404', 'Chinese', bare('提示信息', '<p>抱歉，您访问的页面不存在或已被删除</p><a href="/">返回首页</a>')),
  page(
    'soft_404',
    'French',
    bare('Erreur', '<h1>Cette page est introuvable</h1><p>La page demandée n’existe pas ou plus.</p>'),
  ),
  page(
    'soft_404',
    'Spanish',
    bare('Error', '<h1>Página no encontrada</h1><p>Lo sentimos, la página que busca no existe.</p>'),
  ),
  page(
    'soft_404',
    'Japanese',
    bare(
      'お探しのページは見つかりません',
      '<h1>お探しのページは見つかりませんでした</h1><p>URLが変更されたか、ページが削除された可能性があります。</p>',
    ),
  ),
  page(
    'soft_404',
    'goods that are gone',
    framed('Harbour shop', '<h1>This product is no longer available</h1><p>Try one of our categories instead.</p>'),
  ),
];

const ERRORS: readonly FixturePage[] = [
  page(
    'error',
    'gateway',
    bare('502 Bad Gateway', '<center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.24.0</center>'),
  ),
  page(
    'error',
    'refused',
    bare(
      'Access Denied',
      '<h1>Access Denied</h1><p>You don’t have permission to access "http://harbour.test/a" on this server.</p><p>Reference #18.2f1</p>',
    ),
  ),
  page(
    'error',
    'too many requests',
    bare(
      '429 Too Many Requests',
      '<h1>Too Many Requests</h1><p>You have sent too many requests in a given amount of time.</p>',
    ),
  ),
  page(
    'error',
    'maintenance',
    bare(
      'Down for maintenance',
      '<h1>We’ll be back soon</h1><p>The site is currently down for scheduled maintenance. Please try again later.</p>',
    ),
  ),
  page(
    'error',
    'in a frame of the site',
    framed('Error', '<h1>Something went wrong</h1><p>An unexpected error occurred. Please try again later.</p>'),
  ),
  page('error', 'Chinese', bare('系统错误', '<h1>服务器内部错误</h1><p>服务暂时不可用，请稍后再试。</p>')),
  page(
    'error',
    'not in this country',
    bare(
      'Unavailable',
      '<h1>451: Unavailable for legal reasons</h1><p>This content is not available in your country.</p>',
    ),
  ),
];

const SKELETONS: readonly FixturePage[] = [
  page(
    'skeleton',
    'shell of an application',
    bare(
      'Tidal Notes',
      '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src="/static/main.js"></script>',
    ),
  ),
  page(
    'skeleton',
    'grey boxes',
    bare(
      'Harbour Post',
      '<div class="skeleton"><div class="skeleton-line"></div><div class="skeleton-line"></div><span>Loading…</span></div><script src="/a.js"></script><script src="/b.js"></script><script src="/c.js"></script>',
    ),
  ),
  page('skeleton', 'Chinese shell', bare('海港', '<div id="app">加载中...</div><script src="/app.js"></script>')),
  page(
    'skeleton',
    'menu and a spinner',
    framed(
      'Harbour map',
      '<div class="spinner" role="status">Loading map…</div>',
      '<script src="/a.js"></script><script src="/b.js"></script><script src="/c.js"></script>',
    ),
  ),
  page(
    'skeleton',
    'asks for scripts',
    bare(
      'Video',
      '<p>This site requires JavaScript to work. Please enable JavaScript in your browser and reload the page.</p><script></script>',
    ),
  ),
];

export const WALL_PAGES: readonly FixturePage[] = [
  ...CHALLENGES,
  ...CAPTCHAS,
  ...LOGINS,
  ...CONSENTS,
  ...MISSING,
  ...ERRORS,
  ...SKELETONS,
];
