import { setup } from 'xstate';
import * as z from 'zod';
import { requestAction } from '#runtime/core/authoring.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { send } from '#runtime/core/requests.ts';

const BusyContext = z.object({ partner: z.string(), count: z.number(), payload: z.string() });
type BusyContext = z.infer<typeof BusyContext>;
type BusyEvent = { type: 'busy.ball' } | { type: 'busy.serve' };

const PAYLOAD = 'x'.repeat(16);

/** Characters of payload so that the stored snapshot has about 1 kB. */
export const PAYLOAD_CHARACTERS = 850;

const busySetup = setup({
  types: {} as { context: BusyContext; events: BusyEvent; input: { partner: string } },
  actions: { request: requestAction },
});

const count = busySetup.assign({ count: ({ context }) => context.count + 1 });

/** Counts, changes its state, and plays the ball back: one message in, one message out. */
const busyMachine = busySetup.createMachine({
  id: 'busy',
  options: { maxIterations: 100 },
  context: ({ input }) => ({
    partner: input.partner,
    count: 0,
    payload: PAYLOAD.repeat(Math.ceil(PAYLOAD_CHARACTERS / PAYLOAD.length)).slice(0, PAYLOAD_CHARACTERS),
  }),
  initial: 'even',
  on: {
    'busy.serve': {
      actions: { type: 'request', params: ({ context }) => [send(context.partner, { type: 'busy.ball' })] },
    },
  },
  states: {
    even: {
      on: {
        'busy.ball': {
          target: 'odd',
          actions: [
            count,
            { type: 'request', params: ({ context }) => [send(context.partner, { type: 'busy.ball' })] },
          ],
        },
      },
    },
    odd: {
      on: {
        'busy.ball': {
          target: 'even',
          actions: [
            count,
            { type: 'request', params: ({ context }) => [send(context.partner, { type: 'busy.ball' })] },
          ],
        },
      },
    },
  },
});

export const busyActor = defineActor({
  kind: 'busy',
  version: 1,
  machine: busyMachine,
  input: z.object({ partner: z.string() }),
  context: BusyContext,
  events: z.object({ type: z.enum(['busy.ball', 'busy.serve']) }),
  effects: {},
  view: (snapshot) => ({ count: snapshot.context.count }),
});
