import ipaddr from 'ipaddr.js';

/**
 * What an address is, for somebody who must only reach public hosts. `internal` may be opened by an explicit approval,
 * `never` by nothing: nobody has a site there.
 */
export type AddressKind =
  | { readonly kind: 'public'; readonly address: string }
  | { readonly kind: 'internal' | 'never'; readonly address: string; readonly reason: string };

const INTERNAL: Readonly<Record<string, string>> = {
  private: 'a private network',
  loopback: 'this machine itself',
  carrierGradeNat: 'a carrier-grade NAT',
  uniqueLocal: 'a private IPv6 network',
};

const NEVER: Readonly<Record<string, string>> = {
  linkLocal: 'the local link (also cloud metadata)',
  unspecified: 'the unspecified address',
  multicast: 'a multicast group',
  broadcast: 'the broadcast address',
  rfc6052: 'a NAT64 gateway',
  rfc6145: 'an IPv4/IPv6 translator',
  '6to4': 'a 6to4 relay',
  teredo: 'a Teredo relay',
};

/** Public by number, yet answered by the machine's own cloud with its credentials. */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254']);

/** An interface identifier of ISATAP (0000:5efe or 0200:5efe) carries an IPv4 address that its tunnel reaches. */
function isIsatap(six: ipaddr.IPv6): boolean {
  const [, , , , fifth = 0, sixth = 0] = six.parts;
  return sixth === 0x5efe && (fifth === 0 || fifth === 0x0200);
}

function rangeOf(parsed: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (parsed.kind() === 'ipv4') return parsed.range();
  const six = parsed as ipaddr.IPv6;
  const range = six.range();
  if (range !== 'unicast') return range;
  if (isIsatap(six)) return 'rfc6052';
  // Only 2000::/3 has been given out to public hosts; what lies beside it has no meaning yet.
  return ((six.parts[0] ?? 0) & 0xe000) === 0x2000 ? range : 'unassigned';
}

/** Reads an address as it stands in an answer or a host; `undefined` when it is none. Zones name a link of this machine. */
export function kindOfAddress(text: string): AddressKind | undefined {
  const bare = text.replace(/^\[|\]$/gu, '');
  const zoneless = bare.replace(/%.*$/u, '');
  if (!ipaddr.isValid(zoneless)) return undefined;
  // An IPv4 address inside IPv6 is dialled as what it is.
  const parsed = ipaddr.process(zoneless);
  const address = parsed.toString();
  if (bare !== zoneless) return { kind: 'never', address, reason: 'an address of one link of this machine' };
  if (METADATA.has(address)) return { kind: 'never', address, reason: 'a cloud metadata service' };
  const range = rangeOf(parsed);
  if (range === 'unicast') return { kind: 'public', address };
  const internal = INTERNAL[range];
  if (internal !== undefined) return { kind: 'internal', address, reason: internal };
  return { kind: 'never', address, reason: NEVER[range] ?? `the reserved range ${range}` };
}

/** Why an address must not be dialled; undefined when it is an ordinary public one. */
export function refusedAddress(text: string): string | undefined {
  const kind = kindOfAddress(text);
  if (kind === undefined) return 'no valid address';
  return kind.kind === 'public' ? undefined : kind.reason;
}
