import { redirect, run, text, type PageAnswer, type Target, type Vector } from './vector.ts';

const page = (id: string, html: (to: Target) => string): Vector => ({
  id,
  kind: 'page',
  answer: (to) => ({ html: html(to) }),
});
const answer = (id: string, make: (to: Target) => PageAnswer): Vector => ({ id, kind: 'page', answer: make });
const click = (html: string): string =>
  `${html}<script>document.querySelector('[data-go]').dispatchEvent(new MouseEvent('click',{bubbles:true,cancelable:true}))</script>`;

const moves: Vector[] = [
  page('link', ({ http }) => `<a id=a href="${http}/">x</a><script>a.click()</script>`),
  page(
    'area',
    ({ http }) =>
      `<map name=m><area id=a href="${http}/" shape=default></map><img usemap=#m><script>a.click()</script>`,
  ),
  page('svg link', ({ http }) => click(`<svg><a data-go href="${http}/"><text>x</text></a></svg>`)),
  page('location.href', ({ http }) => run(`location.href=${text(`${http}/`)}`)),
  page('location.replace', ({ http }) => run(`location.replace(${text(`${http}/`)})`)),
  page('navigation.navigate', ({ http }) => run(`navigation.navigate(${text(`${http}/`)})`)),
  page('window.open _self', ({ http }) => run(`open(${text(`${http}/`)},'_self')`)),
  page(
    'top from a frame',
    ({ http }) => `<iframe srcdoc="<a id=a target=_top href='${http}/'>x</a><script>a.click()</script>"></iframe>`,
  ),
  page('user name in a link', ({ host, port }) => run(`location.href='http://control.test@${host}:${port}/'`)),
  page('user name and port', ({ host, port }) => run(`location.href='http://control.test:80@${host}:${port}/'`)),
  page('meta refresh', ({ http }) => `<meta http-equiv=refresh content="0;url=${http}/">`),
  answer('refresh header', ({ http }) => ({ html: 'x', headers: { refresh: `0;url=${http}/` } })),
  page('form GET', ({ http }) => `<form id=f action="${http}/"><input name=a></form><script>f.submit()</script>`),
  page(
    'form POST',
    ({ http }) => `<form id=f method=post action="${http}/"><input name=a></form><script>f.submit()</script>`,
  ),
  page(
    'form by 307',
    ({ http }) => `<form id=f method=post action="${redirect(307, `${http}/`)}"></form><script>f.submit()</script>`,
  ),
  page(
    'formaction',
    ({ http }) => `<form><button id=b formaction="${http}/">x</button></form><script>b.click()</script>`,
  ),
];

const hops: Vector[] = [301, 302, 303, 307, 308].map((status) =>
  answer(`redirect ${status}`, ({ http }) => ({ html: 'moved', status, headers: { location: `${http}/` } })),
);
const chain = answer('chain of redirects', ({ http }) => ({
  html: 'moved',
  status: 302,
  headers: { location: redirect(301, redirect(307, redirect(303, redirect(308, `${http}/`)))) },
}));

export const MOVING: readonly Vector[] = [...moves, ...hops, chain];

const address = (id: string, url: (port: number) => string): Vector => ({ id, kind: 'address', url });
const host = (spelling: string): Vector => address(`host ${spelling}`, (port) => `http://${spelling}:${port}/a`);

/** Spellings of this machine and of what is near it. Names are answered by the name server of the test. */
export const ADDRESSES: readonly Vector[] = [
  ...['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '127.0.1', '0.0.0.0', '0', '127.255.255.254'].map(
    host,
  ),
  ...['①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '127.0.0.1.'].map(host),
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'].map(host),
  ...['[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1]', '[ff02::1]'].map(
    host,
  ),
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'inner.test', 'INNER.test.', 'inner6.test'].map(host),
  ...['mapped.test', 'nat64.test', 'zero.test', 'metadata.test', 'mixed.test', 'mixed-late.test', 'rebind.test'].map(
    host,
  ),
  ...[
    'own.test',
    '169.254.169.254',
    '100.64.0.1',
    '10.0.0.1',
    '168.63.129.16',
    'metadata',
    'metadata.google.internal',
  ].map(host),
  address('backslash before the host', (port) => `http:\\\\127.0.0.1:${port}\\a`),
  address('backslash and at', (port) => `http://127.0.0.1:${port}\\@control.test/a`),
  address('fragment and at', (port) => `http://127.0.0.1:${port}#@control.test/`),
  address('question and at', (port) => `http://127.0.0.1:${port}?@control.test/`),
  address('no scheme', (port) => `//127.0.0.1:${port}/a`),
  address('tab in the scheme', (port) => `ht\ttp://127.0.0.1:${port}/a`),
  address('line break in the host', (port) => `http://127.0.\n0.1:${port}/a`),
  address('many slashes', (port) => `http:////127.0.0.1:${port}/a`),
  address('capital scheme', (port) => `HTTP://127.0.0.1:${port}/a`),
];
