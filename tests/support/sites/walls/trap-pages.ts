import type { PageKind } from '#contracts/research/page.ts';
import { bare, framed, hanProse, prose } from './wall-frame.ts';
import type { FixturePage } from './wall-pages.ts';

const page = (kind: PageKind, name: string, html: string): FixturePage => ({ kind, name, html });
const article = (title: string, body: string, more = ''): string =>
  framed(title, `<article><h1>${title}</h1>${body}</article>${more}`);
const SIGN_IN =
  '<aside class="login-box"><form><input type="email"><input type="password"><button>Log in</button></form><a href="/f">Forgot password?</a></aside>';
const BANNER =
  '<div id="cookie-banner" role="dialog"><p>We use cookies to improve your visit. Accept all cookies?</p><button>Accept</button><button>Reject</button></div>';

const ARTICLES: readonly FixturePage[] = [
  page(
    'article',
    'about a check before sites',
    article(
      '“Just a moment…”: what happens while Cloudflare checks your browser',
      `<p>Checking your browser before accessing a site has become as common as a doorbell. Cloudflare asks visitors to verify they are human.</p>${prose(4)}`,
    ),
  ),
  page(
    'article',
    'short, about a check before sites',
    article(
      'Why do I see “Verify you are human”?',
      '<p>Many sites ask a service to look at each visit before the page is sent. The service compares your browser with what it knows of machines, and lets you pass when the two differ enough. Most visitors wait a second or two and never notice the check again that day.</p><p>If the check repeats itself, the clock of your computer may be wrong, or an extension may change what your browser says about itself. Setting the clock and reloading the page once is usually all that is needed.</p>',
    ),
  ),
  page(
    'article',
    'about captchas',
    article(
      'A short history of the captcha',
      `<p>The captcha was invented so that a machine could tell a person from a machine. “I’m not a robot” is its best known sentence.</p>${prose(4)}`,
    ),
  ),
  page(
    'article',
    'Chinese, about captchas',
    article('验证码的历史', `<p>验证码的目的是让机器分辨人和机器，滑动验证只是其中一种。</p>${hanProse(5)}`),
  ),
  page(
    'article',
    'with 404 in its title',
    article('404 Not Found: the band that named itself after an error', prose(4)),
  ),
  page(
    'article',
    'named page not found',
    article(
      'Page not found',
      `<p>The last page of the diary was torn out before the archive bought it.</p>${prose(4)}`,
    ),
  ),
  page('article', 'named access denied', article('Access denied: who may enter the old harbour', prose(4))),
  page('article', 'with a sign-in box beside it', article('The ferry of the sound', prose(4), SIGN_IN)),
  page(
    'article',
    'short, with a sign-in box beside it',
    article(
      'Quay closed on Monday',
      '<p>The old quay stays closed on Monday because divers look at the piles below it. Ferries leave from the new quay instead, at the usual times, and the car park there is free of charge for the day.</p><p>The harbour master expects the old quay to open again on Tuesday morning, unless the divers find more than they look for.</p>',
      SIGN_IN,
    ),
  ),
  page(
    'article',
    'with a cookie banner in front',
    framed('The ferry of the sound', `${BANNER}<article><h1>The ferry of the sound</h1>${prose(4)}</article>`),
  ),
  page(
    'article',
    'short, with a cookie banner in front',
    framed(
      'Herring are back',
      `${BANNER}<article><h1>Herring are back</h1><p>The herring came back to the sound on Thursday, three weeks later than last year. Boats landed eleven tonnes before noon, and the market sold out by two.</p></article>`,
    ),
  ),
  page(
    'article',
    'with comments for members',
    article(
      'Who planted the pines?',
      `${prose(3)}`,
      '<section id="comments"><p>You must be logged in to post a comment.</p></section>',
    ),
  ),
  page(
    'article',
    'with a captcha in its comment form',
    article(
      'Storms since 1987',
      prose(3),
      '<form id="commentform"><textarea></textarea><div class="g-recaptcha"></div><button>Send</button></form>',
    ),
  ),
  page(
    'article',
    'Chinese, with sign-in words in the head',
    bare(
      '码头修缮',
      `<div class="top"><a href="/login">登录</a> <a href="/reg">注册</a></div><article><h1>码头修缮推迟</h1>${hanProse(4)}</article>`,
    ),
  ),
  page(
    'article',
    'whole without its scripts',
    bare(
      'Islands',
      `<noscript>Please enable JavaScript for the best experience.</noscript><article><h1>Islands like paintings</h1>${prose(3)}</article><script></script><script></script><script></script>`,
    ),
  ),
  page(
    'article',
    'about cookies and consent',
    article(
      'Cookie policy',
      `<p>This policy says which cookies the Harbour Post sets, why it asks for consent, and how you can manage cookies or reject them.</p><h2>Which cookies</h2>${prose(2)}<h2>Your consent</h2><p>You can accept or decline cookies at any time, and change your consent under privacy settings.</p>${prose(2)}`,
    ),
  ),
  page(
    'article',
    'about a failure of servers',
    article('503 Service Unavailable: the night the booking system fell over', prose(4)),
  ),
  page(
    'article',
    'short report of an outage',
    article(
      'Booking site was down',
      '<p>The booking site of the ferry showed an internal server error for two hours on Sunday. About forty passengers bought their tickets on board instead, at the same price, the company said on Monday morning.</p><p>A full disk was the cause. It has been replaced by a larger one, and a second site now takes over when the first one fails.</p>',
    ),
  ),
  page(
    'article',
    'about passwords',
    article(
      'How to choose a password you will remember',
      `<p>Log in once with the new password while the old one still works.</p>${prose(3)}`,
    ),
  ),
];

const rows = Array.from(
  { length: 14 },
  (_, at) =>
    `<tr><td>${1990 + at}</td><td>Boat ${at + 1}</td><td>${at % 3 === 0 ? 'Not found' : `${12 + at} t`}</td></tr>`,
).join('');
const teasers = Array.from(
  { length: 14 },
  (_, at) => `<li><a href="/story/${at}">Story ${at}: the quay, the ferry and the herring of ${1990 + at}</a></li>`,
).join('');
const post = (name: string, words: string): string =>
  `<div class="post" id="post-${name}"><div class="post-author"><a href="/u/${name}">${name}</a> <time datetime="2024-05-0${(name.length % 8) + 1}">May</time></div><div class="post-body"><p>${words}</p></div></div>`;
const THREAD = ['anna', 'bo', 'carlos', 'dmitri', 'elke']
  .map((name, at) =>
    post(
      name,
      [
        'My outboard engine stops after ten minutes with error 500 on the display. Has anybody seen that?',
        'Error 500 is the temperature sensor on mine. Unplug it and look for green on the contacts.',
        'Same here, the harness was corroded. A new plug cost nine euros.',
        'Before you buy one, check the water pump. It was the pump on two boats in our club.',
        'Thanks, it was the plug after all.',
      ][at] ?? '',
    ),
  )
  .join('');

const OTHERS: readonly FixturePage[] = [
  page('listing', 'front page with a sign-in link', framed('Harbour Post', `<h1>News</h1><ul>${teasers}</ul>`)),
  page(
    'table',
    'a register in which some is not found',
    framed(
      'Register of boats',
      `<h1>Register of boats</h1><table><thead><tr><th>Year</th><th>Boat</th><th>Weight</th></tr></thead><tbody>${rows}</tbody></table>`,
    ),
  ),
  page(
    'forum',
    'a thread about an error',
    framed(
      'Engine shows error 500 - Boat forum',
      `<h1>Engine shows error 500</h1>${THREAD}<p>You must log in to reply.</p>`,
    ),
  ),
  page(
    'documentation',
    'of a status code',
    bare(
      '404 Not Found',
      `<h1>404 Not Found</h1><p>The server did not find a current representation for the target resource.</p><h2>Syntax</h2><pre>404 Not Found</pre><h2>Example</h2><pre>GET /missing</pre><h2>See also</h2><pre>410 Gone</pre>`,
      '<meta name="generator" content="MkDocs">',
    ),
  ),
  page(
    'documentation',
    'short help about signing in',
    bare(
      'Sign-in token',
      '<h1>Sign-in token</h1><p>The token stands in the address that the program prints. It is valid once, and only on this machine.</p>',
    ),
  ),
  page(
    'product',
    'goods that are sold out',
    framed(
      'Oak lamp',
      '<h1>Oak lamp</h1><p class="price">€ 45.00</p><p>Sold out</p><button disabled>Add to cart</button><p>A lamp of oak, oiled twice, with a shade of linen. Made in the yard beside the old quay.</p>',
      '<script type="application/ld+json">{"@type":"Product","name":"Oak lamp","offers":{"price":"45.00","priceCurrency":"EUR","availability":"https://schema.org/OutOfStock"}}</script>',
    ),
  ),
  page(
    'product',
    'goods with a captcha in the review form',
    framed(
      'Brass bell',
      '<h1>Brass bell</h1><p class="price">€ 30.00</p><button>Add to cart</button><p>Rings over a mile of water.</p><form><textarea></textarea><div class="h-captcha"></div></form>',
      '<meta property="og:type" content="product"><meta property="product:price:amount" content="30.00"><meta property="product:price:currency" content="EUR">',
    ),
  ),
  page(
    'article',
    'opening hours',
    framed(
      'Opening hours',
      '<h1>Opening hours</h1><p>Monday to Friday 9 to 17, Saturday 10 to 14. Closed on Sunday and on the first Monday of the month.</p>',
    ),
  ),
  page(
    'article',
    'a contact form with a captcha',
    framed(
      'Contact',
      '<h1>Contact the harbour office</h1><p>The office answers letters within a week and the telephone on weekdays between nine and noon: 0123 456. Boats that need a berth for the night should call the harbour master on channel 12 before four in the afternoon. Lost property is kept for three months in the shed beside the fuel pump, and then given to the sailing school.</p><form><input type="email"><textarea></textarea><div class="g-recaptcha"></div><button>Send</button></form>',
    ),
  ),
  page(
    'article',
    'a very short Chinese notice',
    framed('通知', '<h1>码头关闭通知</h1><p>因潜水检查，旧码头星期一关闭，渡轮改从新码头出发，时间不变。</p>'),
  ),
  page(
    'article',
    'a notice that something cannot be had',
    framed(
      'Diesel',
      '<h1>Diesel pump out of order</h1><p>Diesel is not available at the old quay until Friday. The pump at the new quay is open day and night, also for cash.</p>',
    ),
  ),
];

export const TRAP_PAGES: readonly FixturePage[] = [...ARTICLES, ...OTHERS];
