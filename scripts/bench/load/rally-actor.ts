import { setup } from 'xstate';
import * as z from 'zod';
import { requestAction } from '#runtime/core/authoring.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { send } from '#runtime/core/requests.ts';

const RallyEvent = z.object({ type: z.enum(['rally.serve', 'rally.ball']), left: z.number() });
const RallyContext = z.object({ partner: z.string() });
type RallyContext = z.infer<typeof RallyContext>;

const rallyMachine = setup({
  types: {} as { context: RallyContext; events: z.infer<typeof RallyEvent>; input: RallyContext },
  guards: { goesOn: ({ event }) => event.left > 0 },
  actions: { request: requestAction },
}).createMachine({
  id: 'rally',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ partner: input.partner }),
  on: {
    '*': {
      guard: 'goesOn',
      actions: {
        type: 'request',
        params: ({ context, event }) => [
          send(context.partner, { type: 'rally.ball', left: event.left - 1 } as { type: string }),
        ],
      },
    },
  },
});

/** Plays one ball to and fro until none is left. */
export const rallyActor = defineActor({
  kind: 'rally',
  version: 1,
  machine: rallyMachine,
  input: RallyContext,
  context: RallyContext,
  events: RallyEvent,
  effects: {},
  view: () => null,
});
