// Walk
//
// A durable and a live actor of one machine, side by side.
// Owns:     the moves both of them make, and that nothing tells them apart afterwards.
// Owns not: which moves; paths and chance decide.
//
//   1  After every move state, context, history, timers, invokes and requests are the same.
//   2  What is over stays over: a second firing, a second result, the result of an invoke that was left change nothing.
//   3  No effect id is declared twice.
//   4  A fork goes on from rows on the durable side; the live actor does everything again.

import { expect } from 'vitest';
import type { EffectResult } from '#contracts/effect.ts';
import type { ActorEvent } from '#contracts/envelope.ts';
import type { EffectRow, LoadedActor, TimerRow } from '#contracts/ports/actor-store.ts';
import type { StepVerdict } from '#runtime/core/step.ts';
import type { ActorModel, Scenario } from './actor-model.ts';
import { LiveActor } from './live-actor.ts';
import { asJson, type Asked } from './observation.ts';
import type { Move } from './shortest-paths.ts';
import { StoredActor } from './stored-actor.ts';

export const START_MS = Date.UTC(2026, 0, 1);
/** More firings in one go than this: a timer that never goes away. */
const MAX_FIRINGS = 1_000;
const LATE: EffectResult = { kind: 'done', output: { late: true } };

/** `threw`: the durable actor stays what it was, the live one is in its error state for good; the walk ends. */
export type Outcome = 'handled' | 'ignored' | 'threw' | 'impossible';

type Answered = { readonly verdict: StepVerdict; readonly asked: Asked };

/** What a live actor went through. */
type Lived =
  | { readonly lived: 'send'; readonly event: ActorEvent }
  | { readonly lived: 'settle'; readonly invokeId: string; readonly result: EffectResult }
  | { readonly lived: 'pass'; readonly untilMs: number };

export class Walk {
  readonly stored: StoredActor;
  readonly #scenario: Scenario;
  readonly #live: LiveActor;
  readonly #lived: Lived[] = [];
  readonly #trail: string[];
  #steps = 0;
  #isOver = false;

  private constructor(stored: StoredActor, scenario: Scenario, trail: readonly string[]) {
    this.stored = stored;
    this.#scenario = scenario;
    this.#trail = [...trail];
    this.#live = new LiveActor(stored.definition, scenario.input, START_MS);
  }

  static start(model: ActorModel, scenario: Scenario): Walk {
    const [stored, asked] = StoredActor.create(model.definition, 'one', scenario.input, START_MS);
    const walk = new Walk(stored, scenario, []);
    walk.#compare('create', asked);
    walk.#compareTurnover('create', null);
    return walk;
  }

  fork(): Walk {
    const fork = new Walk(this.stored.fork(), this.#scenario, this.#trail);
    for (const lived of this.#lived) fork.#relive(lived);
    fork.#live.takeAsked();
    fork.#live.takeTurnover();
    fork.#compareSeen('fork');
    return fork;
  }

  get steps(): number {
    return this.#steps;
  }

  get nowMs(): number {
    return this.#live.nowMs;
  }

  get isOver(): boolean {
    return this.#isOver || this.stored.observe().status !== 'active';
  }

  get timers(): readonly TimerRow[] {
    return this.stored.loaded.timers;
  }

  get effects(): readonly EffectRow[] {
    return this.stored.loaded.effects;
  }

  make(move: Move): Outcome {
    switch (move.move) {
      case 'mail':
        return this.mail(move.event);
      case 'settle':
        return this.settle(move.invokeId, move.result);
      case 'timer':
        return this.fire(move.timerId);
    }
  }

  mail(event: ActorEvent): Outcome {
    if (this.#isOver) return 'impossible';
    const before = this.stored.loaded;
    const answered = this.stored.mail(event, this.nowMs);
    this.#relive({ lived: 'send', event });
    return this.#judge(event.type, before, answered);
  }

  settle(invokeId: string, result: EffectResult): Outcome {
    const before = this.stored.loaded;
    const effect = before.effects.find((row) => row.invokeId === invokeId);
    if (this.#isOver || effect === undefined) return 'impossible';
    const answered = this.stored.settle(effect, result, this.nowMs);
    this.#relive({ lived: 'settle', invokeId, result });
    return this.#judge(`${invokeId} ${result.kind}`, before, answered);
  }

  /** Lets time pass until the timer is due; others that are due earlier fire on the way. */
  fire(timerId: string): Outcome {
    const due = this.timers.find((timer) => timer.timerId === timerId)?.dueAtMs;
    if (this.#isOver || due === undefined) return 'impossible';
    const fired = this.passUntil(due);
    return fired.length === 1 && fired[0] === timerId ? 'handled' : 'impossible';
  }

  /** Returns the timers that fired, in order. */
  passUntil(ms: number): readonly string[] {
    const fired: string[] = [];
    for (let next = this.#nextDue(ms); next !== null && !this.#isOver; next = this.#nextDue(ms)) {
      const before = this.stored.loaded;
      const answers = this.#fireDue(next.dueAtMs, fired);
      this.#relive({ lived: 'pass', untilMs: next.dueAtMs });
      this.#judge(`${next.timerId} at ${next.dueAtMs}`, before, together(answers));
    }
    if (!this.#isOver) this.#relive({ lived: 'pass', untilMs: Math.max(ms, this.nowMs) });
    return fired;
  }

  end(): void {
    this.#live.stop();
    const ids = this.stored.effectIds;
    expect(new Set(ids).size, `effect ids of ${this.#trail.join(' → ')}`).toBe(ids.length);
  }

  #relive(lived: Lived): void {
    this.#lived.push(lived);
    if (lived.lived === 'send') this.#live.send(lived.event);
    else if (lived.lived === 'settle') this.#live.settle(lived.invokeId, lived.result);
    else this.#live.passUntil(lived.untilMs);
  }

  #nextDue(untilMs: number): TimerRow | null {
    const due = this.timers.filter((timer) => timer.dueAtMs <= untilMs);
    return due.sort((a, b) => a.dueAtMs - b.dueAtMs || a.occurrence - b.occurrence)[0] ?? null;
  }

  /** All of one moment, because a live clock stops only behind it. */
  #fireDue(dueAtMs: number, fired: string[]): Answered[] {
    const answers: Answered[] = [];
    for (let timer = this.#nextDue(dueAtMs); timer !== null; timer = this.#nextDue(dueAtMs)) {
      fired.push(timer.timerId);
      expect(fired.length, `firings of ${timer.timerId} after ${this.#trail.join(' → ')}`).toBeLessThan(MAX_FIRINGS);
      answers.push(this.stored.fire(timer, dueAtMs));
      const { kind } = answers.at(-1)!.verdict;
      if (kind !== 'taken') break;
    }
    return answers;
  }

  #judge(what: string, before: LoadedActor, { verdict, asked }: Answered): Outcome {
    this.#steps += 1;
    this.#trail.push(what);
    if (verdict.kind === 'failed') return this.#compareDefect(before, verdict.failure.message);
    this.#compare(what, asked);
    this.#compareTurnover(what, before);
    this.#provokeLate(before);
    if (verdict.kind === 'skipped') return 'impossible';
    return verdict.outcome === 'handled' ? 'handled' : 'ignored';
  }

  #compare(what: string, asked: Asked): void {
    this.#compareSeen(what);
    this.#expectSame(what, asJson(asked), asJson(this.#live.takeAsked()));
  }

  #compareTurnover(what: string, before: LoadedActor | null): void {
    const had = before?.effects ?? [];
    const has = this.effects;
    const turnover = {
      started: without(has, had),
      cancelled: without(had, has).filter((invokeId) => what !== `${invokeId} done` && what !== `${invokeId} failed`),
    };
    this.#expectSame(what, turnover, this.#live.takeTurnover());
  }

  #compareSeen(what: string): void {
    this.#expectSame(what, this.stored.observe(), this.#live.observe());
  }

  #expectSame(what: string, durable: unknown, live: unknown): void {
    if (JSON.stringify(durable) === JSON.stringify(live)) return;
    expect(durable, `${what} after ${this.#trail.join(' → ')}: durable, and live`).toEqual(live);
  }

  /** ST-08 against XState, which gives up the whole actor. */
  #compareDefect(before: LoadedActor, message: string): Outcome {
    // but for the effect whose result it was: the store took that out when the result came
    const { row, timers } = this.stored.loaded;
    expect({ row, timers }).toEqual({ row: before.row, timers: before.timers });
    expect(this.#live.observe().status).toBe('error');
    // Both name the cause last; what stands before differs between builds of XState.
    expect(String(this.#live.error)).toContain(message.split(/: |\n/u).at(-1));
    this.#isOver = true;
    return 'threw';
  }

  /** Everything of before that is no more comes once again, and nothing happens. */
  #provokeLate(before: LoadedActor): void {
    const { timers, effects } = this.stored.loaded;
    const occurrences = new Set(timers.map(({ occurrence }) => occurrence));
    const awaited = new Set(effects.map(({ effectId }) => effectId));
    const seen = JSON.stringify(this.stored.observe());
    for (const timer of before.timers.filter(({ occurrence }) => !occurrences.has(occurrence))) {
      expect(this.stored.fire(timer, this.nowMs).verdict).toEqual({ kind: 'skipped' });
    }
    // A result that left its state where it was comes once because the store deleted its effect; the machine would take two.
    const { invokes } = this.stored.loaded.row.snapshot as unknown as { invokes: Record<string, string> };
    const isGone = (effect: EffectRow) => !awaited.has(effect.effectId) && invokes[effect.invokeId] !== effect.effectId;
    for (const effect of before.effects.filter(isGone)) {
      const { verdict } = this.stored.settle(effect, LATE, this.nowMs);
      expect(['stale', 'dropped_done']).toContain(verdict.kind === 'taken' && verdict.outcome);
    }
    expect(JSON.stringify(this.stored.observe())).toBe(seen);
  }
}

function without(effects: readonly EffectRow[], others: readonly EffectRow[]): string[] {
  const ids = new Set(others.map(({ effectId }) => effectId));
  return effects
    .filter(({ effectId }) => !ids.has(effectId))
    .map(({ invokeId }) => invokeId)
    .sort();
}

function together(answers: readonly Answered[]): Answered {
  const all = answers.map(({ asked }) => asked);
  const list = <Key extends Exclude<keyof Asked, 'reply'>>(key: Key) => all.flatMap((asked) => asked[key]) as never;
  return {
    verdict: answers.at(-1)!.verdict,
    asked: {
      mail: list('mail'),
      published: list('published'),
      written: list('written'),
      fences: list('fences'),
      reply: all.at(-1)!.reply,
    },
  };
}
