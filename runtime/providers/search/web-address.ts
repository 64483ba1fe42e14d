/** Only http(s) without credentials: nothing else is ever stored, shown or opened. */
export function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

/** A domain stands for itself and what is below it. No domains: the open web. */
export function isAllowedAddress(address: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  const host = new URL(address).hostname.replace(/\.$/u, '');
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Engines without a domain filter of their own understand `site:`. The gate checks what comes back all the same. */
export function withDomains(words: string, domains: readonly string[]): string {
  if (domains.length === 0) return words;
  const sites = domains.map((domain) => `site:${domain}`);
  return sites.length === 1 ? `${words} ${sites[0]}` : `${words} (${sites.join(' OR ')})`;
}
