// A parent with a fence: opens it and spawns hands that require it, closes it, hears of those that were stopped.

import { assign, setup } from 'xstate';
import * as z from 'zod';
import { requestAction } from '#runtime/core/authoring.ts';
import { defineActor, type ActorDefinition } from '#runtime/core/define-actor.ts';
import { publish, reply, send, setFence, spawn, type Request } from '#runtime/core/requests.ts';
import { LEDGER } from './hand-actor.ts';

export const HANDS_OF_A_DESK = 2;

const DeskContext = z.object({
  id: z.string(),
  generation: z.number(),
  fenced: z.array(z.string()),
  reports: z.number(),
});
type DeskContext = z.infer<typeof DeskContext>;
export type DeskState = DeskContext;
type DeskEvent =
  | { type: 'desk.open' | 'desk.again' | 'desk.stop' }
  | { type: 'desk.report'; ticks: number }
  | { type: 'child.fenced'; address: string };
type Args = { readonly context: DeskContext };

/** Also used by schedules, which have to guess names before anything ran. */
export function handOfDesk(desk: string, generation: number, index: number): string {
  return `hand/${desk}-${generation}-${index}`;
}

function spawnHands({ context }: Args): Request[] {
  const { id, generation } = context;
  return Array.from({ length: HANDS_OF_A_DESK }, (_, index) => {
    const [, hand = ''] = handOfDesk(id, generation, index).split('/');
    const input = { name: `hand/${hand}`, desk: `desk/${id}` };
    return spawn('hand', hand, input, { fence: { scope: id, generation } });
  });
}

const nextGeneration = assign<DeskContext, DeskEvent, undefined, DeskEvent, never>({
  generation: ({ context }) => context.generation + 1,
});

const machine = setup({
  types: {} as { context: DeskContext; events: DeskEvent; input: { id: string } },
  actions: { request: requestAction },
}).createMachine({
  id: 'desk',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ id: input.id, generation: 0, fenced: [], reports: 0 }),
  initial: 'closed',
  on: {
    'desk.open': {
      target: '.open',
      actions: [
        nextGeneration,
        {
          type: 'request',
          params: ({ context }) => [
            setFence(context.id, context.generation, true),
            publish('desk.opened', { generation: context.generation }),
            ...spawnHands({ context }),
          ],
        },
      ],
    },
    'desk.report': { actions: assign({ reports: ({ context }) => context.reports + 1 }) },
    'child.fenced': {
      actions: [
        assign({ fenced: ({ context, event }) => [...context.fenced, event.address] }),
        { type: 'request', params: ({ event }) => [send(LEDGER, { type: 'ledger.close', hand: event.address })] },
      ],
    },
  },
  states: {
    closed: {},
    open: {
      on: {
        'desk.again': { actions: { type: 'request', params: spawnHands } },
        'desk.stop': {
          target: 'closed',
          actions: [
            nextGeneration,
            {
              type: 'request',
              params: ({ context }) => [
                setFence(context.id, context.generation, false),
                publish('desk.stopped', { generation: context.generation }),
                reply({ generation: context.generation }),
              ],
            },
          ],
        },
      },
    },
  },
});

export const deskActor: ActorDefinition = defineActor({
  kind: 'desk',
  version: 1,
  machine,
  input: z.object({ id: z.string() }),
  context: DeskContext,
  events: z.looseObject({ type: z.string() }),
  effects: {},
  view: (snapshot) => snapshot.context as unknown,
});
