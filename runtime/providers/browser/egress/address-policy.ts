import ipaddr from 'ipaddr.js';

/** Forms of IPv6 that carry an IPv4 address which a gateway would reach in our name, and ranges that are no public host. */
function rangeOf(address: string): string {
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv6') {
    const six = parsed as ipaddr.IPv6;
    if (six.isIPv4MappedAddress()) return six.toIPv4Address().range();
  }
  return parsed.range();
}

const REASONS: Readonly<Record<string, string>> = {
  private: 'a private network',
  loopback: 'this machine itself',
  linkLocal: 'the local link (also cloud metadata)',
  carrierGradeNat: 'a carrier-grade NAT',
  uniqueLocal: 'a private IPv6 network',
  unspecified: 'the unspecified address',
  multicast: 'a multicast group',
  broadcast: 'the broadcast address',
  rfc6052: 'a NAT64 gateway',
  rfc6145: 'an IPv4/IPv6 translator',
  '6to4': 'a 6to4 relay',
  teredo: 'a Teredo relay',
};

/** Why an address must not be dialled; undefined when it is an ordinary public one. */
export function refusedAddress(address: string): string | undefined {
  const bare = address.replace(/^\[|\]$/gu, '').replace(/%.*$/u, '');
  if (!ipaddr.isValid(bare)) return 'no valid address';
  const range = rangeOf(bare);
  return range === 'unicast' ? undefined : (REASONS[range] ?? `the reserved range ${range}`);
}

export function isAddress(host: string): boolean {
  return ipaddr.isValid(host.replace(/^\[|\]$/gu, ''));
}
