import { describe, expect, it } from 'vitest';
import { setup, type AnyMachineSnapshot, type AnyStateNode } from 'xstate';
import { effectLogic } from '#runtime/core/authoring.ts';
import { openScope } from '#runtime/core/scope.ts';

const parts = setup({
  types: {} as { events: { type: 'go' } },
  actors: { work: effectLogic<object, object>() },
  delays: { soon: 5 },
});
const machine = parts.createMachine({
  id: 'm',
  type: 'parallel',
  states: {
    a: { initial: 'one', states: { one: { on: { go: 'two' } }, two: { always: 'three' }, three: {} } },
    b: { invoke: { id: 'w', src: 'work', input: {} }, after: { 7: '.c', soon: '.c' }, initial: 'c', states: { c: {} } },
  },
});

/** What the runtime uses of XState beyond its public interface. A new version that changes it fails here first. */
describe('internals of XState', () => {
  it('[LG-01] every microstep names its transitions with source, targets and event', () => {
    const born = machine.getInitialSnapshot(openScope('m/1').scope, undefined);
    const { scope, collected } = openScope('m/1');
    machine.transition(born, { type: 'go' }, scope);
    expect(collected.edges).toEqual([
      { from: 'm.a.one', on: 'go', to: ['m.a.two'] },
      { from: 'm.a.two', on: '', to: ['m.a.three'], step: 1 },
    ]);
  });

  it('[ST-03] an invoke and an after are actions with id, source, input and delay', () => {
    const { scope, collected } = openScope('m/1');
    machine.getInitialSnapshot(scope, undefined);
    expect(collected.actions).toMatchObject([
      { type: 'xstate.raise', params: { id: 'xstate.after.7.m.b', delay: 7, event: { type: 'xstate.after.7.m.b' } } },
      { type: 'xstate.raise', params: { id: 'xstate.after.soon.m.b', delay: 5 } },
      { type: 'xstate.spawnChild', params: { id: 'w', src: 'work', input: {} } },
    ]);
  });

  it('[UP-03] a restored snapshot lists its active nodes with their afters, invokes and place in the definition', () => {
    const stored = { status: 'active', value: { b: 'c', a: 'three' }, context: {}, historyValue: {}, children: {} };
    const restored = machine.restoreSnapshot(stored as never, openScope('m/1').scope) as AnyMachineSnapshot;
    const nodes = [...(restored._nodes as readonly AnyStateNode[])].sort((one, two) => one.order - two.order);
    expect(nodes.map(({ id }) => id)).toEqual(['m', 'm.a', 'm.a.three', 'm.b', 'm.b.c']);
    const b = nodes.find(({ id }) => id === 'm.b')!;
    expect(b.after.map(({ delay, eventType }) => [delay, eventType])).toEqual([
      [7, 'xstate.after.7.m.b'],
      ['soon', 'xstate.after.soon.m.b'],
    ]);
    expect(b.invoke.map(({ id, src }) => [id, src])).toEqual([['w', 'work']]);
  });
});
