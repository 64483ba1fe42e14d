import type { LimiterInput, LimiterMail, PermitReport } from '#contracts/actors/limiter.ts';
import type { ActorAddress } from '#contracts/envelope.ts';
import { isoTime, msOfIso } from '#runtime/core/iso-time.ts';
import { send, type Request } from '#runtime/core/requests.ts';
import type { LimiterState, Waiting } from './contract.ts';

type MailOf<Type extends LimiterMail['type']> = Extract<LimiterMail, { type: Type }>;

const MINUTE_MS = 60_000;
const MAX_WAITING = 500;

export const newLimiter = (input: LimiterInput): LimiterState => ({
  ...input,
  permits: [],
  queue: [],
  served: [],
  granted: [],
  wake_in_ms: null,
});

/** One step: what changed already, and the answers it leads to. */
export class Round {
  #state: LimiterState;
  readonly #nowMs: number;
  readonly #requests: Request[] = [];

  constructor(state: LimiterState, event: object) {
    this.#state = state;
    this.#nowMs = 'at' in event && typeof event.at === 'string' ? msOfIso(event.at) : 0;
  }

  ask(event: MailOf<'permit.ask'>): this {
    const { permit_id, party, reply_to, hold_ms, tokens = 0, limits } = event;
    if (limits !== undefined) this.#set(limits);
    const held = this.#state.permits.find((permit) => permit.permit_id === permit_id);
    if (held !== undefined) return this.#grantAgain(reply_to, permit_id, held.until_ms);
    if (this.#state.queue.some((waiting) => waiting.permit_id === permit_id)) return this;
    const until_ms = this.#latest(event);
    const waiting: Waiting = { permit_id, party, reply_to, hold_ms, tokens, until_ms };
    const perMinute = this.#state.tokens_per_minute;
    if (perMinute !== null && tokens > perMinute) return this.#refuse(waiting, 'too_large');
    if (this.#state.queue.length >= MAX_WAITING) return this.#refuse(waiting, 'queue_full');
    this.#set({ queue: [...this.#state.queue, waiting] });
    return this;
  }

  #latest({ deadline_time, wait_ms }: MailOf<'permit.ask'>): number {
    const waits = [this.#state.wait_ms, ...(wait_ms === undefined ? [] : [wait_ms])];
    const latest = this.#nowMs + Math.min(...waits);
    return deadline_time === undefined ? latest : Math.min(latest, msOfIso(deadline_time));
  }

  /** Of what is held, or of what still waits. */
  giveBack({ permit_id }: MailOf<'permit.return'>): this {
    const isOther = (one: { readonly permit_id: string }): boolean => one.permit_id !== permit_id;
    this.#set({ permits: this.#state.permits.filter(isOther), queue: this.#state.queue.filter(isOther) });
    return this;
  }

  /** Closes every step: what is over goes, who can be served is, and the next step of time is known. */
  settle(): { readonly state: LimiterState; readonly requests: readonly Request[] } {
    this.#dropOver();
    while (this.#hasRoom()) this.#grant(this.#next());
    const parties = new Set([...this.#state.queue, ...this.#state.permits].map(({ party }) => party));
    this.#set({ served: this.#state.served.filter((party) => parties.has(party)), wake_in_ms: this.#wakeIn() });
    return { state: this.#state, requests: this.#requests };
  }

  #set(change: Partial<LimiterState>): void {
    this.#state = { ...this.#state, ...change };
  }

  #dropOver(): void {
    const { permits, queue, granted } = this.#state;
    for (const late of queue.filter(({ until_ms }) => until_ms <= this.#nowMs)) this.#refuse(late, 'deadline');
    this.#set({
      permits: permits.filter(({ until_ms }) => until_ms > this.#nowMs),
      queue: queue.filter(({ until_ms }) => until_ms > this.#nowMs),
      granted: granted.filter(({ at_ms }) => at_ms + MINUTE_MS > this.#nowMs),
    });
  }

  #hasRoom(): boolean {
    const { queue, permits, in_flight, granted, per_minute, tokens_per_minute } = this.#state;
    if (queue.length === 0 || permits.length >= in_flight) return false;
    if (per_minute !== null && granted.length >= per_minute) return false;
    // Whoever is next waits until its tokens fit; a smaller one that overtakes would keep it waiting for ever.
    const used = granted.reduce((sum, { tokens }) => sum + tokens, this.#next().tokens);
    return tokens_per_minute === null || used <= tokens_per_minute;
  }

  /** The first of the party that was served longest ago, or never. */
  #next(): Waiting {
    const { queue, served } = this.#state;
    const placeOf = ({ party }: Waiting): number => served.indexOf(party);
    return queue.reduce((best, waiting) => (placeOf(waiting) < placeOf(best) ? waiting : best));
  }

  #grant(waiting: Waiting): void {
    const { permit_id, party, hold_ms, tokens, reply_to } = waiting;
    const { permits, queue, served, granted, per_minute, tokens_per_minute } = this.#state;
    const until_ms = this.#nowMs + hold_ms;
    const isRated = per_minute !== null || tokens_per_minute !== null;
    this.#set({
      permits: [...permits, { permit_id, party, until_ms }],
      queue: queue.filter((one) => one !== waiting),
      served: [...served.filter((one) => one !== party), party],
      granted: isRated ? [...granted, { at_ms: this.#nowMs, tokens }] : [],
    });
    this.#grantAgain(reply_to, permit_id, until_ms);
  }

  #grantAgain(reply_to: string, permit_id: string, untilMs: number): this {
    return this.#answer(reply_to, { type: 'permit.granted', permit_id, expires_time: isoTime(untilMs) });
  }

  #refuse({ reply_to, permit_id }: Waiting, reason: 'deadline' | 'queue_full' | 'too_large'): this {
    return this.#answer(reply_to, { type: 'permit.refused', permit_id, reason });
  }

  #answer(to: string, report: PermitReport): this {
    this.#requests.push(send(to as ActorAddress, report));
    return this;
  }

  /** Until a permit or a wait is over; while somebody waits for a rate, until the oldest of the minute is. */
  #wakeIn(): number | null {
    const { permits, queue, granted } = this.#state;
    const times = [...permits, ...queue].map(({ until_ms }) => until_ms);
    const oldest = granted[0];
    if (queue.length > 0 && oldest !== undefined) times.push(oldest.at_ms + MINUTE_MS);
    return times.length === 0 ? null : Math.max(1, Math.min(...times) - this.#nowMs);
  }
}

export const ask = (state: LimiterState, event: MailOf<'permit.ask'>): Round => new Round(state, event).ask(event);
export const giveBack = (state: LimiterState, event: MailOf<'permit.return'>): Round =>
  new Round(state, event).giveBack(event);
export const letTimePass = (state: LimiterState, event: object): Round => new Round(state, event);
