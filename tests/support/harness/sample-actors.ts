import { assign, setup } from 'xstate';
import * as z from 'zod';
import type { FenceRequirement } from '#contracts/effect.ts';
import { defineEffect, effectLogic, failureOf, requestAction, type EffectContext } from '#runtime/core/authoring.ts';
import { defineActor, type ActorDefinition } from '#runtime/core/define-actor.ts';
import { publish, reply, send, setFence, spawn, write } from '#runtime/core/requests.ts';

/** What the sample effects call; a test gives the behaviour. */
export type SamplePorts = {
  readonly fetch: (input: { url: string }, fx: EffectContext<SamplePorts>) => Promise<{ text: string }>;
  readonly pay: (input: { amount: number }, fx: EffectContext<SamplePorts>) => Promise<{ receipt: string }>;
};

type JobContext = { name: string; note: string; ticks: number; heard: string[] };
type JobEvent =
  | { type: 'job.fetch' | 'job.pay' | 'job.cancel' | 'job.explode' | 'job.wait' | 'job.finish' | 'job.tick' }
  | { type: 'job.note'; text: string }
  | { type: 'job.tell'; to: string; text: string }
  | { type: 'job.say'; text: string };

const jobMachine = setup({
  types: {} as { context: JobContext; events: JobEvent; input: { name: string } },
  actors: {
    fetch: effectLogic<{ url: string }, { text: string }>(),
    pay: effectLogic<{ amount: number }, { receipt: string }>(),
  },
  actions: { request: requestAction },
}).createMachine({
  id: 'job',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ name: input.name, note: '', ticks: 0, heard: [] }),
  initial: 'idle',
  on: {
    'job.tick': {
      actions: [
        assign({ ticks: ({ context }) => context.ticks + 1 }),
        {
          type: 'request',
          params: ({ context }) => [
            publish('job.ticked', { ticks: context.ticks }),
            write('job', { id: context.name, ticks: context.ticks }),
            reply({ ticks: context.ticks }),
          ],
        },
      ],
    },
    'job.note': { actions: assign({ note: ({ event }) => event.text }) },
    'job.say': { actions: assign({ heard: ({ context, event }) => [...context.heard, event.text] }) },
    'job.tell': {
      actions: {
        type: 'request',
        params: ({ event }) => [send(event.to, { type: 'job.say', text: event.text } as { type: string })],
      },
    },
    'job.explode': {
      actions: assign(() => {
        throw new Error('boom');
      }),
    },
    'job.finish': '.over',
    'job.cancel': '.idle',
  },
  states: {
    idle: { on: { 'job.fetch': 'fetching', 'job.pay': 'paying', 'job.wait': 'waiting' } },
    fetching: {
      invoke: {
        id: 'fetch',
        src: 'fetch',
        input: ({ context }) => ({ url: `https://${context.name}.example` }),
        onDone: { target: 'idle', actions: assign({ note: ({ event }) => event.output.text }) },
        onError: { target: 'idle', actions: assign({ note: ({ event }) => failureOf(event).code }) },
      },
    },
    paying: {
      invoke: {
        id: 'pay',
        src: 'pay',
        input: () => ({ amount: 5 }),
        onDone: { target: 'idle', actions: assign({ note: ({ event }) => event.output.receipt }) },
        onError: { target: 'idle', actions: assign({ note: ({ event }) => failureOf(event).code }) },
      },
    },
    waiting: { after: { 60_000: { target: 'idle', actions: assign({ note: 'waited' }) } } },
    over: { type: 'final' },
  },
});

export const jobActor: ActorDefinition = defineActor({
  kind: 'job',
  version: 1,
  machine: jobMachine,
  input: z.object({ name: z.string() }),
  context: z.object({ name: z.string(), note: z.string(), ticks: z.number(), heard: z.array(z.string()) }),
  events: z.looseObject({ type: z.templateLiteral(['job.', z.string()]) }),
  effects: {
    fetch: defineEffect<{ url: string }, { text: string }, SamplePorts>({
      class: 'idempotent',
      timeoutMs: 10_000,
      run: (input, fx) => fx.ports.fetch(input, fx),
    }),
    pay: defineEffect<{ amount: number }, { receipt: string }, SamplePorts>({
      class: 'once',
      timeoutMs: 10_000,
      run: (input, fx) => fx.ports.pay(input, fx),
    }),
  },
  view: (snapshot) => ({ note: snapshot.context.note, ticks: snapshot.context.ticks }),
});

type BossContext = { id: string; generation: number; fenced: string[] };
type BossEvent =
  | { type: 'boss.start'; children: string[] }
  | { type: 'boss.stop' | 'boss.reopen' }
  | { type: 'child.fenced'; address: string };

const fenceOf = (context: BossContext): FenceRequirement => ({ scope: context.id, generation: context.generation });

const bossMachine = setup({
  types: {} as { context: BossContext; events: BossEvent; input: { id: string } },
  actions: { request: requestAction },
}).createMachine({
  id: 'boss',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ id: input.id, generation: 0, fenced: [] }),
  initial: 'ready',
  on: {
    'boss.start': {
      target: '.running',
      actions: [
        assign({ generation: ({ context }) => context.generation + 1 }),
        {
          type: 'request',
          params: ({ context, event }) => [
            setFence(context.id, context.generation, true),
            ...event.children.map((id) => spawn('job', id, { name: id }, { fence: fenceOf(context) })),
          ],
        },
      ],
    },
    'child.fenced': { actions: assign({ fenced: ({ context, event }) => [...context.fenced, event.address] }) },
  },
  states: {
    ready: {},
    running: {
      on: {
        'boss.stop': {
          target: 'stopped',
          actions: [
            assign({ generation: ({ context }) => context.generation + 1 }),
            {
              type: 'request',
              params: ({ context }) => [
                setFence(context.id, context.generation, false),
                publish('boss.stopped', {}),
                reply({ generation: context.generation }),
              ],
            },
          ],
        },
      },
    },
    stopped: {},
  },
});

export const bossActor: ActorDefinition = defineActor({
  kind: 'boss',
  version: 1,
  machine: bossMachine,
  input: z.object({ id: z.string() }),
  context: z.object({ id: z.string(), generation: z.number(), fenced: z.array(z.string()) }),
  events: z.looseObject({ type: z.templateLiteral(['boss.', z.string()]) }),
  effects: {},
  view: (snapshot) => snapshot.context as unknown,
});

/** A job that runs in the pool of browsers. */
export const pageActor: ActorDefinition = { ...jobActor, kind: 'page', pool: 'browser' };
