// FamilyLimits
//
// How much one session, and all of them together, may ask of one site family (a registered domain) at a time and per minute.
// Owns:     open places, tokens, bytes, who waits for a place.
// Owns not: what a family is (siteOf), what is done with a refusal (egress proxy).
//
//   FL1  No more than the stated number of connections is open to a family; others wait for a place, in order, not for ever.
//   FL2  Requests beyond the rate of a minute are refused at once.
//   FL3  A session that has taken its bytes from a family gets no more of it.
//   FL4  A place comes back exactly once, also when its session closes; whoever waits for a closed session is refused.

export type FamilyLimit = {
  readonly connections: number;
  readonly requestsPerMinute: number;
  readonly bytesPerSession: number;
  readonly waitMs: number;
};

/** A page with all its pictures stays far below; what goes beyond is a page that lost its head, or means harm. */
export const FAMILY_LIMIT: FamilyLimit = {
  connections: 48,
  requestsPerMinute: 1500,
  bytesPerSession: 512 * 1024 * 1024,
  waitMs: 20_000,
};

export type Place = {
  /** False when the session has had enough of this family: what is open has to end. */
  readonly take: (bytes: number) => boolean;
  readonly leave: () => void;
};

type Waiting = { readonly session: string; readonly answer: (place: Place | string) => void };
type Family = { open: number; tokens: number; filledAt: number; readonly waiting: Waiting[] };

const MAX_FAMILIES = 2000;
const MAX_WAITING = 500;

export class FamilyLimits {
  private readonly families = new Map<string, Family>();
  private readonly bytes = new Map<string, Map<string, number>>();
  private readonly limit: FamilyLimit;
  private readonly nowMs: () => number;

  constructor(limit: FamilyLimit, nowMs: () => number) {
    this.limit = limit;
    this.nowMs = nowMs;
  }

  openSession(session: string): void {
    this.bytes.set(session, new Map());
  }

  closeSession(session: string): void {
    this.bytes.delete(session);
    for (const family of this.families.values()) {
      const gone = family.waiting.filter((one) => one.session === session);
      for (const one of gone) one.answer('the session was closed');
    }
  }

  /** A place for one connection or request, or the reason why there is none. */
  async enter(session: string, name: string): Promise<Place | string> {
    const taken = this.bytes.get(session)?.get(name) ?? 0;
    if (taken > this.limit.bytesPerSession) return `too much was loaded from ${name}`;
    const family = this.family(name);
    this.refill(family);
    if (family.tokens < 1) return `too many requests to ${name} in a minute`;
    family.tokens -= 1;
    if (family.open < this.limit.connections) return this.place(session, name, family);
    if (family.waiting.length >= MAX_WAITING) return `too many connections to ${name} at once`;
    return this.wait(session, name, family);
  }

  private wait(session: string, name: string, family: Family): Promise<Place | string> {
    return new Promise((resolve) => {
      const answer = (place: Place | string): void => {
        clearTimeout(timer);
        const index = family.waiting.indexOf(waiting);
        if (index >= 0) family.waiting.splice(index, 1);
        resolve(place);
      };
      const waiting: Waiting = { session, answer };
      const timer = setTimeout(() => answer(`too many connections to ${name} at once`), this.limit.waitMs);
      timer.unref();
      family.waiting.push(waiting);
    });
  }

  private place(session: string, name: string, family: Family): Place {
    family.open += 1;
    let isHeld = true;
    return {
      take: (count) => {
        const taken = this.bytes.get(session);
        if (taken === undefined) return false;
        const sum = (taken.get(name) ?? 0) + count;
        taken.set(name, sum);
        return sum <= this.limit.bytesPerSession;
      },
      leave: () => {
        if (!isHeld) return;
        isHeld = false;
        family.open -= 1;
        const next = family.waiting[0];
        if (next !== undefined) next.answer(this.place(next.session, name, family));
      },
    };
  }

  private family(name: string): Family {
    const known = this.families.get(name);
    if (known !== undefined) return known;
    if (this.families.size >= MAX_FAMILIES) this.forgetIdle();
    const family = { open: 0, tokens: this.limit.requestsPerMinute, filledAt: this.nowMs(), waiting: [] };
    this.families.set(name, family);
    return family;
  }

  private forgetIdle(): void {
    for (const [name, family] of this.families) {
      this.refill(family);
      const isIdle = family.open === 0 && family.waiting.length === 0;
      if (isIdle && family.tokens >= this.limit.requestsPerMinute) this.families.delete(name);
    }
  }

  private refill(family: Family): void {
    const now = this.nowMs();
    const earned = ((now - family.filledAt) / 60_000) * this.limit.requestsPerMinute;
    family.tokens = Math.min(this.limit.requestsPerMinute, family.tokens + Math.max(0, earned));
    family.filledAt = now;
  }
}
