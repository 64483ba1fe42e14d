import { setup } from 'xstate';
import * as z from 'zod';
import { requestAction } from '#runtime/core/authoring.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { send } from '#runtime/core/requests.ts';

const MAIL_A_STEP = 10;

type FloodContext = { target: string; self: string; drops: number };
type FloodEvent = { type: 'flood.go' } | { type: 'flood.stop' } | { type: 'flood.drop' };

const floodSetup = setup({
  types: {} as { context: FloodContext; events: FloodEvent; input: { self: string; target: string } },
  actions: { request: requestAction },
});

/** Sends without end to `target`, and counts what it gets. */
const floodMachine = floodSetup.createMachine({
  id: 'flood',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, drops: 0 }),
  initial: 'running',
  on: { 'flood.drop': { actions: floodSetup.assign({ drops: ({ context }) => context.drops + 1 }) } },
  states: {
    running: {
      on: {
        'flood.stop': 'stopped',
        'flood.go': {
          actions: {
            type: 'request',
            params: ({ context }) => [
              ...Array.from({ length: MAIL_A_STEP }, () => send(context.target, { type: 'flood.drop' })),
              send(context.self, { type: 'flood.go' }),
            ],
          },
        },
      },
    },
    stopped: {},
  },
});

export const floodActor = defineActor({
  kind: 'flood',
  version: 1,
  machine: floodMachine,
  input: z.object({ self: z.string(), target: z.string() }),
  context: z.object({ target: z.string(), self: z.string(), drops: z.number() }),
  events: z.object({ type: z.enum(['flood.go', 'flood.stop', 'flood.drop']) }),
  effects: {},
  view: (snapshot) => ({ drops: snapshot.context.drops }),
});
