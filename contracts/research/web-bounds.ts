const PRIVATE_HOST =
  /^(?:localhost|.*\.localhost|.*\.local|.*\.internal|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d+){2}|\[.*\])$/u;

/** Whether an address is a web page outside, by its writing alone; what a name resolves to is the browser's to check. */
export function isPublicWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  if (username !== '' || password !== '') return false;
  return hostname !== '' && !PRIVATE_HOST.test(hostname.replace(/\.$/u, ''));
}

/** Whether an allowed site covers an address: the site itself and everything below it. */
export function siteCovers(site: string, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/\.$/u, '');
  return host === site || host.endsWith(`.${site}`);
}
