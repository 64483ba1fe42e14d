import { kindOfAddress } from './address-policy.ts';

/** `name` is what may be resolved; `address` needs no resolving and is in its one plain spelling. */
export type Host =
  { readonly name: string; readonly address: string | undefined } | { readonly name: string; readonly reason: string };

const MAX_HOST_CHARS = 253;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u;

/**
 * A host as it stands in a request, in its one plain spelling. Every parser here and below must mean the same host by it, so a
 * spelling that another parser could read as another host (octal numbers, zones, marks of an address) is refused.
 */
export function parseHost(host: string): Host {
  const given = host.toLowerCase();
  if (given.startsWith('[') || given.includes(':')) return parseLiteral(given);
  const name = given.replace(/\.$/u, '');
  if (name === '' || name.length > MAX_HOST_CHARS || !name.split('.').every((label) => LABEL.test(label)))
    return { name: name.slice(0, MAX_HOST_CHARS), reason: 'the host name is not valid' };
  // By the URL standard a host whose last label is a number is an IPv4 address or nothing.
  if (!/(?:^|\.)(?:\d+|0x[0-9a-f]*)$/u.test(name)) return { name, address: undefined };
  const plain = URL.parse(`http://${name}/`)?.hostname;
  return plain === undefined ? { name, reason: 'the host name is not valid' } : { name: plain, address: plain };
}

function parseLiteral(given: string): Host {
  const bare = given.replace(/^\[|\]$/gu, '');
  const kind = bare.includes('%') ? undefined : kindOfAddress(bare);
  if (kind === undefined || !bare.includes(':')) return { name: bare, reason: 'the host name is not valid' };
  return { name: kind.address, address: bare };
}
