// Robots
//
// What sites say in robots.txt, asked through the same way out as the pages themselves.
// Owns:     the policy, one remembered answer for each origin.
// Owns not: opening pages (page/), the way out (egress proxy), the words of the rules (robots-rules).
//
//   RB1  With `ignore` nothing is asked. Otherwise an origin is asked once in its time; a session waits for its own question.
//   RB2  No such file (400 to 499) allows all; a site that cannot say (500 and more, no answer) allows nothing, for a short while.
//   RB3  A disallowed page is not opened. With `respect_and_record` every read says what robots.txt said.
//   RB4  Redirects are followed at most five times, each judged like any other request.
//   RB5  A refusal of the way out is no answer of the site: the page goes the same way and is told why it is refused.
import { fail } from '#contracts/errors.ts';
import type { RobotsNote, RobotsPolicy } from '#contracts/research/robots.ts';
import { fetchThrough, type Fetched, type Way } from './fetch-through.ts';
import { askRobots, MAX_ROBOTS_BYTES, robotsRules, type RobotsRule } from './robots-rules.ts';

/** The name to which a site may address rules. */
const PRODUCT_TOKEN = 'yunsou';
const TIMEOUT_MS = 8000;
const MAX_REDIRECTS = 5;
const FRESH_MS = 24 * 3600_000;
/** A site that was ill is asked again soon. */
const FAILED_FRESH_MS = 5 * 60_000;
const MAX_ORIGINS = 2000;
const REFUSED = 'the way out refused it';

type Known =
  | { readonly kind: 'rules'; readonly rules: readonly RobotsRule[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unreachable'; readonly reason: string };
type Remembered = { readonly until: number; readonly known: Known };

export type RobotsOptions = {
  readonly policy: RobotsPolicy;
  readonly nowMs: () => number;
  /** Hosts answered inside this process: nobody's site. */
  readonly isOurs: (host: string) => boolean;
};

export class Robots {
  private readonly options: RobotsOptions;
  private readonly remembered = new Map<string, Remembered>();
  private readonly asking = new Map<string, Promise<Known>>();

  constructor(options: RobotsOptions) {
    this.options = options;
  }

  /** Throws `page.blocked` when the page must not be opened; the note belongs to the read where the policy records. */
  async require(url: URL, way: Way, signal: AbortSignal): Promise<RobotsNote | null> {
    const { policy, isOurs } = this.options;
    if (policy === 'ignore' || isOurs(url.hostname)) return null;
    const note = await this.look(url, way, signal);
    if (note.verdict === 'disallowed')
      fail('page.blocked', `The robots.txt of ${url.host} does not allow this page (${note.rule ?? 'no rule'}).`);
    if (note.verdict === 'unreachable' && note.rule !== REFUSED) {
      fail(
        'page.blocked',
        `The robots.txt of ${url.host} could not be read, so the page is not opened (${note.rule}).`,
        {
          retry: { kind: 'after', ms: FAILED_FRESH_MS },
        },
      );
    }
    return policy === 'respect_and_record' ? note : null;
  }

  private async look(url: URL, way: Way, signal: AbortSignal): Promise<RobotsNote> {
    const address = new URL('/robots.txt', url).href;
    const known = await this.rulesOf(address, way, signal);
    if (known.kind === 'none') return { address, verdict: 'no_file', rule: null };
    if (known.kind === 'refused') return { address, verdict: 'unreachable', rule: REFUSED };
    if (known.kind === 'unreachable') return { address, verdict: 'unreachable', rule: known.reason };
    const { allowed, rule } = askRobots(known.rules, url);
    return { address, verdict: allowed ? 'allowed' : 'disallowed', rule };
  }

  private async rulesOf(address: string, way: Way, signal: AbortSignal): Promise<Known> {
    const remembered = this.remembered.get(address);
    if (remembered !== undefined && remembered.until > this.options.nowMs()) return remembered.known;
    const question = `${way.credentials.username} ${address}`;
    const shared = this.asking.get(question);
    if (shared !== undefined) return shared;
    const asking = this.ask(new URL(address), way, signal);
    this.asking.set(question, asking);
    try {
      const known = await asking;
      // What was called off or refused on the way says nothing about the site.
      if (!signal.aborted && known.kind !== 'refused') this.remember(address, known);
      return known;
    } finally {
      this.asking.delete(question);
    }
  }

  private remember(address: string, known: Known): void {
    const [oldest] = this.remembered.keys();
    if (this.remembered.size >= MAX_ORIGINS && oldest !== undefined) this.remembered.delete(oldest);
    const until = this.options.nowMs() + (known.kind === 'unreachable' ? FAILED_FRESH_MS : FRESH_MS);
    this.remembered.delete(address);
    this.remembered.set(address, { until, known });
  }

  private async ask(first: URL, way: Way, signal: AbortSignal): Promise<Known> {
    let url = first;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const fetched = await fetchThrough(way, url, { maxBytes: MAX_ROBOTS_BYTES, timeoutMs: TIMEOUT_MS, signal });
      const next = redirectOf(fetched, url);
      if (next === undefined) return fetched.kind === 'refused' && hop === 0 ? { kind: 'refused' } : knownFrom(fetched);
      url = next;
    }
    // RFC 9309: more redirects than that may be taken as no file.
    return { kind: 'none' };
  }
}

function redirectOf(fetched: Fetched, from: URL): URL | undefined {
  if (fetched.kind !== 'answer' || fetched.status < 300 || fetched.status > 399) return undefined;
  const next = fetched.location === undefined ? null : URL.parse(fetched.location, from.href);
  return next !== null && /^https?:$/u.test(next.protocol) ? next : undefined;
}

function knownFrom(fetched: Fetched): Known {
  if (fetched.kind === 'refused') return { kind: 'unreachable', reason: 'it leads where no connection is made' };
  if (fetched.kind === 'failed') return { kind: 'unreachable', reason: fetched.reason };
  const { status, body } = fetched;
  if (status >= 500) return { kind: 'unreachable', reason: `the site answered ${status}` };
  if (status < 200 || status > 299) return { kind: 'none' };
  return { kind: 'rules', rules: robotsRules(body.toString('utf8'), PRODUCT_TOKEN) };
}
