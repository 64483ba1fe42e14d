import { describe, expect, it } from 'vitest';
import { and, assign, log, not, setup } from 'xstate';
import * as z from 'zod';
import type { Envelope } from '#contracts/envelope.ts';
import { failure } from '#contracts/errors.ts';
import type { TransitionRow } from '#contracts/ports/actor-store.ts';
import type { ActorState, StepInput } from '#runtime/core/actor-state.ts';
import { defineActor } from '#runtime/core/define-actor.ts';
import { hashDefinition } from '#runtime/core/definition-hash.ts';
import { openDraft } from '#runtime/core/draft.ts';
import { committedState, finishDraft } from '#runtime/core/finish-draft.ts';
import { recordGuards, type RefusedGuard } from '#runtime/core/guard-record.ts';
import { unbornActor } from '#runtime/core/restore-actor.ts';
import { recordPoison, step } from '#runtime/core/step.ts';

const NOW = 1_800_000_000_000;
type Context = { level: number; note?: string; big: string };
type Events = { type: 'gate.open' | 'gate.try' | 'gate.forget' | 'gate.break' } | { type: 'gate.fill'; text: string };

const machine = setup({
  types: {} as { context: Context; events: Events; input: { level: number } },
  guards: {
    isAbove: ({ context }, params: { limit: number }) => context.level > params.limit,
    isZero: ({ context }) => context.level === 0,
    breaks: () => {
      throw new Error('out of order');
    },
  },
}).createMachine({
  id: 'gate',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ level: input.level, note: 'new', big: '' }),
  initial: 'shut',
  states: {
    shut: {
      on: {
        'gate.open': [
          { guard: { type: 'isAbove', params: { limit: 10 } }, target: 'wide' },
          { guard: and([{ type: 'isAbove', params: { limit: 5 } }, not('isZero')]), target: 'wide' },
          { target: 'ajar', actions: log('only a little') },
        ],
        'gate.try': { guard: 'isZero', target: 'wide' },
        'gate.forget': { actions: assign({ note: undefined as never }) },
        'gate.fill': { actions: assign({ big: ({ event }) => event.text }) },
        'gate.break': { guard: 'breaks', target: 'wide' },
      },
    },
    ajar: { always: [{ guard: 'isZero', target: 'shut' }, { target: 'wide' }] },
    wide: { type: 'final' },
  },
});
const definitionHash = hashDefinition(machine);
const gate = defineActor({
  kind: 'gate',
  version: 1,
  machine,
  input: z.object({ level: z.number() }),
  context: z.looseObject({}),
  events: z.looseObject({ type: z.string() }),
  effects: {},
  view: () => null,
});

function mail(event: { type: string; [key: string]: unknown }, change: Partial<Envelope> = {}): StepInput {
  const head = { messageId: `m:${event.type}`, project: 'p', to: 'gate/1', from: 'http', priority: 'normal' as const };
  const envelope = { ...head, event, sentAt: '', ...change } as Envelope;
  return { kind: 'mail', mailId: 1, envelope, payloadHash: '' };
}

function run(before: ActorState, input: StepInput): { row: TransitionRow; state: ActorState; failed: string | null } {
  const { draft, verdict } = step(gate, before, input, NOW);
  const row = finishDraft(draft, () => 'main').transitions.at(-1) as TransitionRow;
  return { row, state: committedState(draft), failed: verdict.kind === 'failed' ? verdict.failure.message : null };
}

function born(level: number): ActorState {
  const birth = mail({ type: 'runtime.create' }, { create: { input: { level } } });
  if (birth.kind !== 'mail') throw new Error('not mail');
  return run(unbornActor(gate, birth.envelope, 0), birth).state;
}

describe('what a row of the log tells', () => {
  it('[LG-01] names the edges taken, with their microstep and their place among several', () => {
    const { row } = run(born(3), mail({ type: 'gate.open' }));
    expect(row.detail).toMatchObject({
      edges: [
        { from: 'gate.shut', on: 'gate.open', to: ['gate.ajar'], branch: 2 },
        { from: 'gate.ajar', on: '', to: ['gate.wide'], branch: 1, step: 1 },
      ],
      logs: [{ value: 'only a little' }],
    });
  });

  it('[LG-02] names the guards that refused, with the transition they kept from being taken', () => {
    const { row } = run(born(3), mail({ type: 'gate.open' }));
    expect((row.detail as { refused: unknown }).refused).toEqual([
      { guard: 'isAbove', from: 'gate.shut', on: 'gate.open', params: { limit: 10 } },
      { guard: 'and(isAbove, not(isZero))', from: 'gate.shut', on: 'gate.open', branch: 1 },
      { guard: 'isZero', from: 'gate.ajar', on: '' },
    ]);
    const ignored = run(born(3), mail({ type: 'gate.try' })).row;
    expect(ignored).toMatchObject({ outcome: 'ignored', detail: { refused: [{ guard: 'isZero', on: 'gate.try' }] } });
  });

  it('[LG-02] a guard that holds is not among them, and one that throws is named in the failure', () => {
    expect(run(born(11), mail({ type: 'gate.open' })).row.detail).not.toHaveProperty('refused');
    expect(run(born(1), mail({ type: 'gate.break' })).failed).toContain("guard 'breaks': out of order");
  });

  it('[LG-02] nothing is noted outside a step, and the definition stays what it was', () => {
    const state = born(3);
    const refused: RefusedGuard[] = [];
    recordGuards(refused, () => undefined);
    expect(state.snapshot?.can({ type: 'gate.try' })).toBe(false);
    expect(refused).toEqual([]);
    expect(recordGuards(refused, () => state.snapshot?.can({ type: 'gate.try' }))).toBe(false);
    expect(refused).toHaveLength(1);
    expect(gate.defHash).toBe(definitionHash);
  });

  it('[LG-03] has the changed keys of the context, the removed ones by name', () => {
    const { row } = run(born(3), mail({ type: 'gate.forget' }));
    expect(row.detail).toMatchObject({ context: {}, removed: ['note'] });
    expect(run(born(3), mail({ type: 'gate.fill', text: 'x' })).row.detail).toMatchObject({ context: { big: 'x' } });
  });

  it('[LG-03] of a value beyond 4 kB it has the size alone', () => {
    const text = 'x'.repeat(5000);
    const { row } = run(born(3), mail({ type: 'gate.fill', text }));
    expect(row.detail).toMatchObject({
      context: {},
      event: { type: 'gate.fill' },
      omitted: { context: { big: 5002 }, event: { text: 5002 } },
    });
    expect(JSON.stringify(row.detail).length).toBeLessThan(300);
  });

  it('[LG-04] a message that changed nothing says why and what it was', () => {
    const state = born(3);
    expect(run(state, mail({ type: 'xstate.stop' })).row).toMatchObject({
      outcome: 'forbidden',
      detail: { reason: "'xstate.stop' is reserved", event: { type: 'xstate.stop' } },
    });
    const over = run(state, mail({ type: 'gate.open' })).state;
    expect(run(over, mail({ type: 'gate.try' })).row).toMatchObject({
      outcome: 'dropped_done',
      detail: { reason: 'the actor is done', event: { type: 'gate.try' } },
    });
    const draft = openDraft(gate, state);
    recordPoison(draft, mail({ type: 'gate.break' }), failure('actor.poisoned', 'three times'));
    expect(draft.transitions[0]).toMatchObject({
      outcome: 'poisoned',
      detail: { reason: { code: 'actor.poisoned' }, event: { type: 'gate.break' } },
    });
  });
});
