// Limiter
//
// Turns for one scarce thing of a project: a model, a family of domains, contexts.
// Owns:     who holds a permit and until when, who waits, what was granted in the last minute.
// Owns not: what a permit is used for, money (ledger).
//
//   LM1  Never more permits than may be in flight, and in no minute more of them, or of their tokens, than the rates allow.
//   LM2  Parties are served in rotation, each in the order of its asking. Whoever is next is not overtaken by a smaller ask.
//   LM3  Every ask is answered once: granted, or refused when its deadline or the longest wait is over, or the queue is full.
//   LM4  A permit that is not returned comes back by itself when its time is over (BU-02).
//   LM5  A return ends what is held or waits; returning again, or what nobody has, is harmless.

import { assign, setup } from 'xstate';
import type { LimiterInput, LimiterMail } from '#contracts/actors/limiter.ts';
import { requestAction } from '#runtime/core/authoring.ts';
import { ruleActions } from '#runtime/core/rule-actions.ts';
import type { LimiterState } from './contract.ts';
import { ask, giveBack, letTimePass, newLimiter, type Round } from './rules.ts';

const by = <Event>(rule: (state: LimiterState, event: Event) => Round) => ({
  target: 'settled' as const,
  actions: ruleActions(rule),
});
const mail = { 'permit.ask': by(ask), 'permit.return': by(giveBack) };

export const limiterMachine = setup({
  types: { context: {} as LimiterState, input: {} as LimiterInput, events: {} as LimiterMail },
  actions: { carryOut: requestAction, adopt: assign((_args, state: LimiterState) => state) },
  guards: { somethingPasses: ({ context }) => context.wake_in_ms !== null },
  delays: { untilNext: ({ context }) => context.wake_in_ms ?? 1 },
}).createMachine({
  id: 'limiter',
  options: { maxIterations: 100 },
  context: ({ input }) => newLimiter(input),
  initial: 'idle',
  states: {
    idle: { on: mail },
    settled: { always: [{ guard: 'somethingPasses', target: 'watching' }, { target: 'idle' }] },
    // Entered anew with each step, so that the timer is always the one for what comes next.
    watching: { on: mail, after: { untilNext: by((state: LimiterState, event: object) => letTimePass(state, event)) } },
  },
});
