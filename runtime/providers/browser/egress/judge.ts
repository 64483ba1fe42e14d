import { lookup } from 'node:dns/promises';
import { kindOfAddress } from './address-policy.ts';
import { parseHost } from './host-name.ts';

export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** `dial` are the very addresses that were judged: nothing is resolved a second time. */
export type Judgement =
  | { readonly allowed: true; readonly dial: readonly [string, ...string[]] }
  | { readonly allowed: false; readonly reason: string };

export type JudgingRules = {
  readonly resolve: Resolve;
  /** Exact `host:port` pairs that the operator opened on purpose. */
  readonly approved: ReadonlySet<string>;
  /** Addresses of this machine. */
  readonly own?: () => ReadonlySet<string>;
};

const RESOLVE_TIMEOUT_MS = 5000;
const MAX_ANSWERS = 64;

/** Ports that no web site uses: a request to them is spoken to another protocol. Those below 1024 are all refused but two. */
const OTHER_PROTOCOLS = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566,
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11_211, 27_017,
]);

/** Names that mean another host on every network. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|internal|intranet|local|localdomain|lan|home|corp|private|home\.arpa)$/u;

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

function refusedPort(port: number): string | undefined {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return 'the port is not valid';
  const isWeb = port === 80 || port === 443 || (port >= 1024 && !OTHER_PROTOCOLS.has(port));
  return isWeb ? undefined : `no web site is served on port ${port}`;
}

/** Of several answers ALL must be allowed, as the next dial may take another one. */
function judgeAnswers(name: string, answers: readonly string[], isApproved: boolean, rules: JudgingRules): Judgement {
  const dial: string[] = [];
  for (const answer of answers) {
    const kind = kindOfAddress(answer);
    if (kind === undefined) return { allowed: false, reason: `${name} leads to no valid address` };
    const mayBeOpened = kind.kind === 'public' || (isApproved && kind.kind === 'internal');
    if (!mayBeOpened) return { allowed: false, reason: `${name} leads to ${kind.reason}` };
    if (!isApproved && rules.own?.().has(kind.address) === true)
      return { allowed: false, reason: `${name} leads to this machine itself` };
    dial.push(kind.address);
  }
  const [first, ...others] = dial;
  return first === undefined
    ? { allowed: false, reason: `${name} has no address` }
    : { allowed: true, dial: [first, ...others] };
}

/** May this host be dialled? Its name is resolved once, and what is dialled is what was judged. */
export async function judgeHost(host: string, port: number, rules: JudgingRules): Promise<Judgement> {
  const parsed = parseHost(host);
  const { name } = parsed;
  if ('reason' in parsed) return { allowed: false, reason: parsed.reason };
  const isApproved = rules.approved.has(`${name}:${port}`);
  const badPort = isApproved ? undefined : refusedPort(port);
  if (badPort !== undefined) return { allowed: false, reason: badPort };
  if (parsed.address !== undefined) return judgeAnswers(name, [parsed.address], isApproved, rules);
  if (!isApproved && (LOCAL_NAME.test(name) || !name.includes('.')))
    return { allowed: false, reason: `${name} names a host of the local network` };
  try {
    const answers = await withLimit(rules.resolve(name));
    if (answers.length > MAX_ANSWERS) return { allowed: false, reason: `${name} has too many addresses` };
    return judgeAnswers(name, answers, isApproved, rules);
  } catch (error) {
    const detail = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
    return { allowed: false, reason: `${name} could not be resolved (${detail})` };
  }
}
