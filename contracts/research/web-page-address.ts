/** Parameters that tell where a reader came from and change nothing on the page. */
const TRACKING = /^(?:utm_[a-z]+|gclid|fbclid|msclkid|spm|from_?source|share_?token|mc_cid|mc_eid|igshid)$/iu;

/** Second levels under which a country's owners register: `example.co.uk`, `example.com.cn`. */
const SHARED_SECOND_LEVEL = new Set(['co', 'com', 'org', 'net', 'gov', 'edu', 'ac', 'go', 'or', 'ne', 'gob', 'mil']);

/** Houses where every account is a voice of its own; the account stands in the host or at the start of the path. */
const ACCOUNT_IN_HOST =
  /(?:^|\.)(?:github\.io|gitlab\.io|blogspot\.com|wordpress\.com|substack\.com|tumblr\.com|pages\.dev|vercel\.app|netlify\.app|cnblogs\.com)$/u;
const ACCOUNT_IN_PATH =
  /(?:^|\.)(?:github\.com|gitlab\.com|medium\.com|youtube\.com|x\.com|twitter\.com|zhuanlan\.zhihu\.com|weibo\.com|blog\.csdn\.net|juejin\.cn|dev\.to)$/u;

/** The same page under its many spellings. For comparing, never for opening. */
export function comparableAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  const host = url.host.replace(/^(?:www|m|mobile)\./u, '').replace(/\.$/u, '');
  const path = url.pathname.replace(/\/(?:index\.html?)?$/u, '');
  return `${host}${path}${url.search}`;
}

/** Who runs the place: the registered domain, or the account where a house lends its domain to many. */
export function siteOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { hostname, pathname } = new URL(address);
  const host = hostname.replace(/\.$/u, '');
  if (/^[\d.]+$/u.test(host) || host.startsWith('[')) return host;
  const labels = host.split('.');
  if (ACCOUNT_IN_HOST.test(host)) return labels.slice(-3).join('.');
  const account = pathname.split('/')[1] ?? '';
  if (ACCOUNT_IN_PATH.test(host) && account !== '') return `${host.replace(/^www\./u, '')}/${account.toLowerCase()}`;
  const [second = '', top = ''] = labels.slice(-2);
  const isShared = labels.length > 2 && top.length === 2 && SHARED_SECOND_LEVEL.has(second);
  return labels.slice(isShared ? -3 : -2).join('.');
}
