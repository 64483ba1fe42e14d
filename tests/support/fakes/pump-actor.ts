import { assign, setup } from 'xstate';
import * as z from 'zod';
import { defineEffect, effectLogic, requestAction } from '#runtime/core/authoring.ts';
import { defineActor, type ActorDefinition } from '#runtime/core/define-actor.ts';
import { reply, send, spawn } from '#runtime/core/requests.ts';

/** What the tests of inspection look at: a guard, a timer, an effect, mail between actors, operator commands, a defect. */
type Context = { strokes: number; isBroken: boolean; note: string };
type Event =
  | { type: 'pump.pause' | 'pump.resume'; request_id: string }
  | { type: 'pump.stroke' | 'pump.check' | 'pump.break' | 'pump.mend' | 'pump.rest' }
  | { type: 'pump.note'; text: string }
  | { type: 'pump.spawn'; id: string };

const machine = setup({
  types: {} as { context: Context; events: Event; input: { strokes: number } },
  guards: {
    isWarm: ({ context }, params: { strokes: number }) => context.strokes >= params.strokes,
    isSound: ({ context }) => {
      if (context.isBroken) throw new Error('the gauge is broken');
      return true;
    },
  },
  actors: { measure: effectLogic<object, { pressure: number }>() },
  actions: { ask: requestAction },
}).createMachine({
  id: 'pump',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ strokes: input.strokes, isBroken: false, note: '' }),
  initial: 'running',
  on: {
    'pump.break': { actions: assign({ isBroken: true }) },
    'pump.mend': { actions: assign({ isBroken: false }) },
    'pump.note': { actions: assign({ note: ({ event }) => event.text }) },
  },
  states: {
    running: {
      on: {
        'pump.stroke': {
          guard: 'isSound',
          actions: [
            assign({ strokes: ({ context }) => context.strokes + 1 }),
            { type: 'ask', params: () => [reply({ ok: true })] },
          ],
        },
        'pump.check': [
          { guard: { type: 'isWarm', params: { strokes: 3 } }, target: 'measuring' },
          { target: 'resting' },
        ],
        'pump.pause': 'paused',
        'pump.rest': 'resting',
        'pump.spawn': {
          actions: {
            type: 'ask',
            params: ({ event }) => [
              spawn('pump', event.id, { strokes: 0 }),
              send(`pump/${event.id}`, { type: 'pump.stroke' }),
            ],
          },
        },
      },
    },
    resting: { after: { 60_000: 'running' } },
    measuring: { invoke: { id: 'gauge', src: 'measure', input: {}, onDone: 'running', onError: 'running' } },
    paused: { on: { 'pump.resume': 'running' } },
  },
});

export const pumpActor: ActorDefinition = defineActor({
  kind: 'pump',
  version: 1,
  machine,
  input: z.object({ strokes: z.number() }),
  context: z.object({ strokes: z.number(), isBroken: z.boolean(), note: z.string() }),
  events: z.looseObject({ type: z.templateLiteral(['pump.', z.string()]) }),
  effects: {
    measure: defineEffect<object, { pressure: number }, object>({
      class: 'idempotent',
      timeoutMs: 10_000,
      run: () => Promise.resolve({ pressure: 2 }),
    }),
  },
  view: (snapshot) => ({ strokes: (snapshot.context as Context).strokes }),
  commands: {
    pause: ({ requestId }) => ({ type: 'pump.pause', request_id: requestId }),
    resume: ({ requestId }) => ({ type: 'pump.resume', request_id: requestId }),
  },
});
