import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limiterActor } from '#actors/limiter/actor.ts';
import type { LimiterState } from '#actors/limiter/contract.ts';
import type { ResourceLimits } from '#contracts/actors/limiter.ts';
import { isoTime, msOfIso } from '#runtime/core/iso-time.ts';
import { StoredActor } from '#tests/support/models/stored-actor.ts';

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const limits = (change: Partial<ResourceLimits> = {}): ResourceLimits => ({
  in_flight: 2,
  per_minute: null,
  tokens_per_minute: null,
  wait_ms: HOUR_MS,
  ...change,
});

type Heard = { readonly id: string; readonly what: string; readonly atMs: number };

/** A limiter and its clock: timers fire when their time has come. */
class Gate {
  readonly heard: Heard[] = [];
  nowMs = START_MS;
  readonly #actor: StoredActor;

  constructor(change: Partial<ResourceLimits> = {}) {
    const input = { resource: 'model.far', ...limits(change) };
    [this.#actor] = StoredActor.create(limiterActor, 'model_far', input, START_MS);
  }

  get state(): LimiterState {
    return this.#actor.observe().context as unknown as LimiterState;
  }

  get granted(): string[] {
    return this.heard.filter(({ what }) => what === 'granted').map(({ id }) => id);
  }

  ask(permit_id: string, party: string, change: object = {}): this {
    this.#post({
      type: 'permit.ask',
      permit_id,
      party,
      reply_to: `paid-call/${permit_id}`,
      hold_ms: HOUR_MS,
      deadline_time: isoTime(this.nowMs + HOUR_MS),
      ...change,
    });
    return this;
  }

  giveBack(permit_id: string): this {
    this.#post({ type: 'permit.return', permit_id });
    return this;
  }

  pass(ms: number): this {
    const end = this.nowMs + ms;
    for (;;) {
      const [timer] = this.#actor.loaded.timers;
      if (timer === undefined || timer.dueAtMs > end) break;
      this.nowMs = timer.dueAtMs;
      this.#hear(this.#actor.fire(timer, this.nowMs).asked.mail);
    }
    this.nowMs = end;
    return this;
  }

  #post(event: { readonly type: string; readonly [field: string]: unknown }): void {
    this.#hear(this.#actor.mail(event, this.nowMs).asked.mail);
  }

  #hear(mail: unknown): void {
    for (const { event } of mail as { event: { type: string; permit_id: string; reason?: string } }[]) {
      const what = event.type === 'permit.granted' ? 'granted' : (event.reason ?? '');
      this.heard.push({ id: event.permit_id, what, atMs: this.nowMs - START_MS });
    }
  }
}

describe('limiter', () => {
  it('[LM1] never more are in flight than may be, and the next comes when one goes', () => {
    const gate = new Gate().ask('a', 't1').ask('b', 't1').ask('c', 't1');
    expect(gate.granted).toEqual(['a', 'b']);
    gate.giveBack('a');
    expect(gate.granted).toEqual(['a', 'b', 'c']);
    expect(gate.state.permits).toHaveLength(2);
  });

  it('[LM1] a rate by the minute holds the next back until the oldest of the minute is over, by itself', () => {
    const gate = new Gate({ in_flight: 10, per_minute: 2 }).ask('a', 't1').pass(20_000).ask('b', 't1').ask('c', 't1');
    expect(gate.granted).toEqual(['a', 'b']);
    gate.pass(39_000);
    expect(gate.granted).toEqual(['a', 'b']);
    gate.pass(1_000);
    expect(gate.heard.at(-1)).toEqual({ id: 'c', what: 'granted', atMs: 60_000 });
    const tokens = new Gate({ in_flight: 10, tokens_per_minute: 100 });
    tokens.ask('a', 't1', { tokens: 60 }).ask('b', 't1', { tokens: 50 }).ask('c', 't2', { tokens: 10 });
    expect(tokens.granted).toEqual(['a', 'c']);
    tokens.ask('d', 't1', { tokens: 101 });
    expect(tokens.heard.at(-1)).toMatchObject({ id: 'd', what: 'too_large' });
  });

  it('[BU-02] parties are served in rotation, however many asks one of them has', () => {
    const gate = new Gate({ in_flight: 1 });
    for (let index = 0; index < 5; index += 1) gate.ask(`big-${index}`, 'big');
    gate.ask('small-0', 'small').ask('other-0', 'other').ask('small-1', 'small');
    for (let turn = 0; turn < 7; turn += 1) gate.giveBack(gate.granted.at(-1)!);
    expect(gate.granted).toEqual(['big-0', 'small-0', 'other-0', 'big-1', 'small-1', 'big-2', 'big-3', 'big-4']);
  });

  it('[LM2] each party in the order of its asking, and whoever is next is not overtaken by a smaller ask', () => {
    const gate = new Gate({ in_flight: 10, tokens_per_minute: 100 });
    gate.ask('a', 't1', { tokens: 80 }).ask('b', 't2', { tokens: 90 });
    gate.ask('c', 't1', { tokens: 10 }).ask('d', 't3', { tokens: 5 });
    expect(gate.granted).toEqual(['a']);
    gate.pass(60_000);
    expect(gate.granted).toEqual(['a', 'b', 'd']);
    gate.pass(60_000);
    expect(gate.granted).toEqual(['a', 'b', 'd', 'c']);
  });

  it('[LM3] nobody waits beyond its deadline or the longest wait, and a full queue says so', () => {
    const gate = new Gate({ in_flight: 1, wait_ms: 30_000 }).ask('a', 't1');
    gate.ask('b', 't1', { deadline_time: isoTime(gate.nowMs + 10_000) }).ask('c', 't1');
    gate.pass(60_000);
    expect(gate.heard.slice(1)).toEqual([
      { id: 'b', what: 'deadline', atMs: 10_000 },
      { id: 'c', what: 'deadline', atMs: 30_000 },
    ]);
    const full = new Gate({ in_flight: 1 });
    for (let index = 0; index < 502; index += 1) full.ask(`p${index}`, 't1');
    expect(full.heard.map(({ what }) => what)).toEqual(['granted', 'queue_full']);
    full.ask('p1', 't1');
    expect(full.heard).toHaveLength(2);
  }, 60_000);

  it('[LM4] a permit that is not returned comes back by itself', () => {
    const gate = new Gate({ in_flight: 1 }).ask('a', 't1', { hold_ms: 5_000 }).ask('b', 't2');
    gate.pass(4_999);
    expect(gate.granted).toEqual(['a']);
    gate.pass(1);
    expect(gate.heard.at(-1)).toEqual({ id: 'b', what: 'granted', atMs: 5_000 });
  });

  it('[LM5] a return of what waits takes it out of the line; another one is harmless', () => {
    const gate = new Gate({ in_flight: 1 }).ask('a', 't1').ask('b', 't1').ask('c', 't1');
    gate.giveBack('b').giveBack('b').giveBack('nobody').giveBack('a').giveBack('a');
    expect(gate.granted).toEqual(['a', 'c']);
    expect(gate.state.queue).toEqual([]);
    gate.ask('c', 't1');
    expect(gate.granted).toEqual(['a', 'c', 'c']);
    expect(gate.state.permits).toHaveLength(1);
  });

  it('[LM1] new limits count from the next step, and what is held stays held', () => {
    const gate = new Gate({ in_flight: 2 }).ask('a', 't1').ask('b', 't1');
    gate.ask('c', 't1', { limits: limits({ in_flight: 1 }) }).giveBack('a');
    expect(gate.granted).toEqual(['a', 'b']);
    gate.giveBack('b');
    expect(gate.granted).toEqual(['a', 'b', 'c']);
  });

  it('[LM3] whatever happens, everybody who asked is answered once, and no limit is passed', () => {
    const step = fc.record({
      what: fc.constantFrom('ask', 'ask', 'return', 'pass'),
      pick: fc.nat({ max: 40 }),
      ms: fc.integer({ min: 1, max: 40_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
        const gate = new Gate({ in_flight: 3, per_minute: 8, wait_ms: 50_000 });
        const asked = new Set<string>();
        for (const { what, pick, ms } of steps) {
          const id = `p${pick}`;
          if (what === 'ask' && !asked.has(id)) gate.ask(id, `t${pick % 4}`, { hold_ms: ms });
          if (what === 'ask') asked.add(id);
          if (what === 'return') gate.giveBack(gate.granted[pick % Math.max(1, gate.granted.length)] ?? 'nobody');
          if (what === 'pass') gate.pass(ms);
          expect(gate.state.permits.length).toBeLessThanOrEqual(3);
          const lately = gate.heard.filter(
            (one) => one.what === 'granted' && one.atMs > gate.nowMs - START_MS - 60_000,
          );
          expect(lately.length).toBeLessThanOrEqual(8);
        }
        gate.pass(HOUR_MS);
        expect(gate.heard.map(({ id }) => id).sort()).toEqual([...asked].sort());
        expect(gate.state).toMatchObject({ permits: [], queue: [], served: [], wake_in_ms: null });
      }),
      { seed: 20_260_103, numRuns: 60 },
    );
  }, 60_000);

  it('[ST-15] the time of a step is read as it was written', () => {
    for (const ms of [
      0,
      START_MS + 123,
      Date.UTC(2024, 1, 29, 23, 59, 59, 999),
      Date.UTC(1999, 11, 31),
      951_782_400_000,
    ]) {
      expect(msOfIso(isoTime(ms))).toBe(ms);
    }
    expect(msOfIso('2026-01-01T00:00:00Z')).toBe(START_MS);
    expect(msOfIso('yesterday')).toBeNaN();
  });
});
