import * as z from 'zod';
import { assign, setup } from 'xstate';
import { BudgetChanged } from '#contracts/actors/ledger.ts';
import { PaidReport } from '#contracts/actors/paid-call.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { requestAction } from '#runtime/core/authoring.ts';
import { send, setFence, spawn } from '#runtime/core/requests.ts';

const Order = z.union([
  z.object({ type: z.literal('asker.call'), id: z.string(), input: z.record(z.string(), z.json()) }),
  z.object({ type: z.literal('asker.fence'), scope: z.string(), generation: z.int(), open: z.boolean() }),
  z.object({ type: z.literal('asker.tell'), to: z.string(), event: z.looseObject({ type: z.string() }) }),
]);
const Mail = z.union([
  Order,
  PaidReport,
  BudgetChanged,
  z.object({ type: z.literal('child.fenced'), address: z.string() }),
]);
type Mail = z.infer<typeof Mail>;
type State = { reports: unknown[] };

/** Stands for whoever makes paid calls: asks as it is told, and keeps what it hears. */
export const askerActor = defineActor({
  kind: 'asker',
  version: 1,
  machine: setup({
    types: { context: {} as State, input: {} as object, events: {} as Mail },
    actions: {
      order: requestAction,
      keep: assign(({ context, event }) => ({ reports: [...context.reports, event] })),
    },
  }).createMachine({
    id: 'asker',
    options: { maxIterations: 100 },
    context: () => ({ reports: [] }),
    on: {
      'asker.call': {
        actions: { type: 'order', params: ({ event }) => [spawn('paid-call', event.id, event.input, { fence: null })] },
      },
      'asker.fence': {
        actions: {
          type: 'order',
          params: ({ event: { scope, generation, open } }) => [setFence(scope, generation, open)],
        },
      },
      'asker.tell': {
        actions: { type: 'order', params: ({ event }) => [send(event.to as `x/${string}`, event.event)] },
      },
      'paid.finished': { actions: 'keep' },
      'paid.failed': { actions: 'keep' },
      'paid.refused': { actions: 'keep' },
      'budget.changed': { actions: 'keep' },
    },
  }),
  input: z.object({}),
  context: z.object({ reports: z.array(z.json()) }),
  events: Mail,
  effects: {},
  view: ({ context }) => context,
});
