import type { ActorNames } from './actor-names.ts';

export type NewFile = { readonly path: string; readonly text: string };

function contractsFile({ kind, type }: ActorNames): string {
  return `import * as z from 'zod';

/** What a ${kind} is created with. */
export const ${type}Input = z.object({ subject: z.string().min(1) });
export type ${type}Input = z.infer<typeof ${type}Input>;

/** Commands that others send to a ${kind}. */
export const ${type}Command = z.discriminatedUnion('type', [
  z.object({ type: z.literal('${kind}.start') }),
  z.object({ type: z.literal('${kind}.cancel') }),
]);
export type ${type}Command = z.infer<typeof ${type}Command>;

export const ${type}View = z.object({ subject: z.string(), result: z.string().nullable() });
export type ${type}View = z.infer<typeof ${type}View>;
`;
}

function contractFile({ kind, type }: ActorNames): string {
  return `import * as z from 'zod';
import { ${type}Input } from '#contracts/actors/${kind}.ts';
import { Failure } from '#contracts/errors.ts';

/** What is stored of a ${kind}, as XState's context. */
export const ${type}State = ${type}Input.extend({ result: z.string().nullable(), problem: Failure.nullable() });
export type ${type}State = z.infer<typeof ${type}State>;

export type WorkInput = { readonly subject: string };
export type WorkOutput = { readonly result: string };
`;
}

function machineFile({ kind, type, value, rules }: ActorNames): string {
  return `// ${type}
//
// One sentence: what it is, from when to when.
// Owns:     what only this actor decides.
// Owns not: what others decide about the same thing.
//
//   ${rules}1  Work begins once; a second start is ignored.
//   ${rules}2  Cancelled is final: a late result changes nothing.

import { assign, setup } from 'xstate';
import type { ${type}Command, ${type}Input } from '#contracts/actors/${kind}.ts';
import { effectLogic, failureOf, requestAction } from '#runtime/core/authoring.ts';
import { publish } from '#runtime/core/requests.ts';
import type { ${type}State, WorkInput, WorkOutput } from './contract.ts';

export const ${value}Machine = setup({
  types: {} as { context: ${type}State; events: ${type}Command; input: ${type}Input },
  actors: { work: effectLogic<WorkInput, WorkOutput>() },
  actions: { announce: requestAction },
}).createMachine({
  id: '${kind}',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...input, result: null, problem: null }),
  initial: 'idle',
  on: { '${kind}.cancel': '.cancelled' },
  states: {
    idle: { on: { '${kind}.start': 'working' } },
    working: {
      invoke: {
        id: 'work',
        src: 'work',
        input: ({ context }) => ({ subject: context.subject }),
        onDone: { target: 'finished', actions: assign({ result: ({ event }) => event.output.result }) },
        onError: { target: 'failed', actions: assign({ problem: ({ event }) => failureOf(event) }) },
      },
    },
    finished: {
      type: 'final',
      entry: { type: 'announce', params: ({ context }) => [publish('${kind}.finished', { result: context.result })] },
    },
    failed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});
`;
}

function effectsFile({ type, value }: ActorNames): string {
  return `import { defineEffect } from '#runtime/core/authoring.ts';
import type { WorkInput, WorkOutput } from './contract.ts';

/** What the effects need of the outside world; one interface of contracts/ports each. */
export type ${type}Ports = {
  readonly worker: { perform(subject: string, options: { readonly signal: AbortSignal }): Promise<string> };
};

export const ${value}Effects = {
  work: defineEffect<WorkInput, WorkOutput, ${type}Ports>({
    class: 'idempotent',
    timeoutMs: 30_000,
    run: async ({ subject }, { ports, signal }) => ({ result: await ports.worker.perform(subject, { signal }) }),
  }),
};
`;
}

function viewFile({ kind, type, value }: ActorNames): string {
  return `import type { ${type}View } from '#contracts/actors/${kind}.ts';
import type { ${type}State } from './contract.ts';

export function view${type}(${value}: ${type}State): ${type}View {
  return { subject: ${value}.subject, result: ${value}.result };
}
`;
}

function actorFile({ kind, type, value }: ActorNames): string {
  return `import { ${type}Command, ${type}Input } from '#contracts/actors/${kind}.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { ${type}State } from './contract.ts';
import { ${value}Effects } from './effects.ts';
import { ${value}Machine } from './machine.ts';
import { view${type} } from './view.ts';

export const ${value}Actor = defineActor({
  kind: '${kind}',
  version: 1,
  machine: ${value}Machine,
  input: ${type}Input,
  context: ${type}State,
  events: ${type}Command,
  effects: ${value}Effects,
  view: ({ context }) => view${type}(context),
});
`;
}

function testFile({ kind, value, rules }: ActorNames): string {
  return `import { expect, it } from 'vitest';
import { ${value}Actor } from '#actors/${kind}/actor.ts';
import { createHarness } from '#tests/support/harness/harness.ts';

async function create(perform: (subject: string) => Promise<string>) {
  const harness = createHarness({ actors: [${value}Actor], ports: { worker: { perform } } });
  await harness.start();
  await harness.create('${kind}/one', { subject: 'rain' });
  return harness;
}

it('[${rules}1] work begins once, and a second start is ignored', async () => {
  let calls = 0;
  const harness = await create(() => Promise.resolve(String(++calls)));
  await harness.send({ to: '${kind}/one', event: { type: '${kind}.start' } });
  await harness.send({ to: '${kind}/one', event: { type: '${kind}.start' } });
  expect(harness.state('${kind}/one')).toBe('finished');
  expect(calls).toBe(1);
  await harness.stop();
});

it('[${rules}2] after a cancellation a late result changes nothing', async () => {
  const answers: ((result: string) => void)[] = [];
  const harness = await create(() => new Promise((resolve) => answers.push(resolve)));
  await harness.send({ to: '${kind}/one', event: { type: '${kind}.start' } });
  await harness.send({ to: '${kind}/one', event: { type: '${kind}.cancel' } });
  answers[0]?.('late');
  await harness.runUntilIdle();
  expect(harness.state('${kind}/one')).toBe('cancelled');
  await harness.stop();
});
`;
}

/** The whole file set of a new actor that already works: it does one piece of work and can be cancelled. */
export function actorFiles(names: ActorNames): NewFile[] {
  const folder = `actors/${names.kind}`;
  return [
    { path: `contracts/actors/${names.kind}.ts`, text: contractsFile(names) },
    { path: `${folder}/contract.ts`, text: contractFile(names) },
    { path: `${folder}/machine.ts`, text: machineFile(names) },
    { path: `${folder}/effects.ts`, text: effectsFile(names) },
    { path: `${folder}/view.ts`, text: viewFile(names) },
    { path: `${folder}/actor.ts`, text: actorFile(names) },
    { path: `tests/contract/actors/${names.kind}.test.ts`, text: testFile(names) },
  ];
}
