import { networkInterfaces } from 'node:os';
import { kindOfAddress } from './address-policy.ts';

const FRESH_MS = 10_000;
let known: { readonly at: number; readonly addresses: ReadonlySet<string> } | undefined;

/** Addresses of this machine, public ones too: what listens there was not meant for pages. */
export function ownAddresses(): ReadonlySet<string> {
  const now = performance.now();
  if (known !== undefined && now - known.at < FRESH_MS) return known.addresses;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const plain = addresses.flatMap(({ address }) => kindOfAddress(address)?.address ?? []);
  known = { at: now, addresses: new Set(plain) };
  return known.addresses;
}
