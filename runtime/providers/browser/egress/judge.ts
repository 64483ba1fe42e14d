import { lookup } from 'node:dns/promises';
import { isAddress, refusedAddress } from './address-policy.ts';

export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** `dial` is the very address that was judged: nothing is resolved a second time. */
export type Judgement =
  { readonly allowed: true; readonly dial: string } | { readonly allowed: false; readonly reason: string };

const RESOLVE_TIMEOUT_MS = 5000;
const MAX_HOST_CHARS = 253;

export async function resolveByDns(hostname: string): Promise<readonly string[]> {
  const answers = await lookup(hostname, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
}

function withLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the name server did not answer in time')), RESOLVE_TIMEOUT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/**
 * May this host be dialled? Resolved once; refused when ANY answer is no public address, as the next answer may be that one.
 * `approved` holds exact `host:port` pairs that the operator opened on purpose.
 */
export async function judgeHost(
  host: string,
  port: number,
  rules: { resolve: Resolve; approved: ReadonlySet<string> },
): Promise<Judgement> {
  const name = host
    .replace(/^\[|\]$/gu, '')
    .replace(/\.$/u, '')
    .toLowerCase();
  if (name === '' || name.length > MAX_HOST_CHARS) return { allowed: false, reason: 'the host name is not valid' };
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return { allowed: false, reason: 'the port is not valid' };
  const isApproved = rules.approved.has(`${name}:${port}`);
  if (!isApproved && /(?:^|\.)(?:localhost|internal|local|localdomain|home\.arpa)$/u.test(name)) {
    return { allowed: false, reason: `${name} names a host of the local network` };
  }
  let addresses: readonly string[];
  try {
    addresses = isAddress(name) ? [name] : await withLimit(rules.resolve(name));
  } catch (error) {
    const detail = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
    return { allowed: false, reason: `${name} could not be resolved (${detail})` };
  }
  const [first] = addresses;
  if (first === undefined) return { allowed: false, reason: `${name} has no address` };
  if (isApproved) return { allowed: true, dial: first };
  for (const address of addresses) {
    const reason = refusedAddress(address);
    if (reason !== undefined) return { allowed: false, reason: `${name} leads to ${reason}` };
  }
  return { allowed: true, dial: first };
}
