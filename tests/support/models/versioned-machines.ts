import { setup, type AnyStateMachine } from 'xstate';
import * as z from 'zod';
import { defineEffect, effectLogic, requestAction } from '#runtime/core/authoring.ts';
import { defineActor, type ActorDefinition, type Upgrade } from '#runtime/core/define-actor.ts';
import { publish } from '#runtime/core/requests.ts';

/** Versions of one small machine; each changes one thing of `first` that stored states feel. */
const parts = setup({
  types: {} as { context: { runs: number }; events: { type: 'pipe.open' | 'pipe.shut' | 'pipe.rest' | 'pipe.wake' } },
  actors: { flow: effectLogic<object, object>(), check: effectLogic<{ runs: number }, object>() },
  actions: { ask: requestAction },
  delays: { patience: ({ context }) => 1_000 * (context.runs + 1) },
});
const base = { id: 'pipe', options: { maxIterations: 100 }, context: { runs: 4 }, initial: 'shut' } as const;
const entered = { type: 'ask', params: () => [publish('pipe.entered', {})] } as const;
const flow = { id: 'flow', src: 'flow', input: {}, onDone: 'shut', onError: 'shut' } as const;
const check = { id: 'check', src: 'check', input: ({ context }: { context: { runs: number } }) => context } as const;
const open = { invoke: flow, after: { 5_000: 'shut' }, on: { 'pipe.shut': 'shut', 'pipe.rest': 'resting' } } as const;
const resting = { on: { 'pipe.wake': 'open' } } as const;
const shut = { on: { 'pipe.open': 'open', 'pipe.rest': 'resting' } } as const;

export const machines = {
  first: parts.createMachine({ ...base, states: { shut, open, resting } }),
  addedState: parts.createMachine({ ...base, states: { shut, open, resting, broken: {} } }),
  atomicToCompound: parts.createMachine({
    ...base,
    states: {
      shut,
      open,
      resting: {
        on: { 'pipe.wake': 'open' },
        initial: 'deep',
        states: {
          deep: {
            entry: entered,
            invoke: { ...check, onDone: 'light', onError: 'light' },
            after: { patience: 'light' },
          },
          light: {},
        },
      },
    },
  }),
  newAfter: parts.createMachine({
    ...base,
    states: { shut, open, resting: { ...resting, after: { patience: 'shut' } } },
  }),
  renamedRest: parts.createMachine({
    ...base,
    states: { shut: { on: { 'pipe.open': 'pausing' } }, pausing: { after: { patience: 'shut' } } },
  }),
  renamedState: parts.createMachine({
    ...base,
    states: {
      shut: { on: { 'pipe.open': 'flowing' } },
      flowing: { ...open },
      resting: { on: { 'pipe.wake': 'flowing' } },
    },
  }),
  removedState: parts.createMachine({ ...base, states: { shut: { on: { 'pipe.open': 'shut' } } } }),
  newRegion: parts.createMachine({
    id: 'pipe',
    options: { maxIterations: 100 },
    context: { runs: 4 },
    type: 'parallel',
    states: {
      valve: { initial: 'shut', states: { shut, open, resting } },
      gauge: {
        initial: 'checking',
        states: {
          checking: {
            entry: entered,
            invoke: { ...check, onDone: 'idle', onError: 'idle' },
            after: { patience: 'idle' },
          },
          idle: {},
        },
      },
    },
  }),
} satisfies Record<string, AnyStateMachine>;

const quick = { class: 'idempotent', timeoutMs: 1_000 } as const;

/** The first version, or one that follows it or others. */
export function pipeActor(
  machine: AnyStateMachine,
  upgrade?: Upgrade,
  follows: readonly AnyStateMachine[] = machine === machines.first ? [] : [machines.first],
): ActorDefinition {
  const released = follows.map((earlier, index) => {
    const { defHash } = pipeActor(earlier, undefined, []);
    return { version: index + 1, defHash, xstate: '5.33.3' };
  });
  return defineActor({
    kind: 'pipe',
    version: follows.length + 1,
    released,
    machine,
    input: z.object({}),
    context: z.object({ runs: z.number() }),
    events: z.object({ type: z.templateLiteral(['pipe.', z.string()]) }),
    effects: {
      flow: defineEffect<object, object, object>({ ...quick, run: () => Promise.resolve({}) }),
      check: defineEffect<{ runs: number }, object, object>({ ...quick, run: () => Promise.resolve({}) }),
    },
    view: () => null,
    ...(upgrade === undefined ? {} : { upgrade }),
  });
}
