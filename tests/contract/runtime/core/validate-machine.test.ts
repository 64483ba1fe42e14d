import { describe, expect, it } from 'vitest';
import { assign, raise, sendTo, setup, spawnChild, type AnyStateMachine } from 'xstate';
import { defineEffect, effectLogic, requestAction } from '#runtime/core/authoring.ts';
import { hashDefinition } from '#runtime/core/definition-hash.ts';
import { isoTime } from '#runtime/core/iso-time.ts';
import { shardOf } from '#contracts/shards.ts';
import { validateMachine } from '#runtime/core/validate-machine.ts';

const parts = setup({
  types: {} as { events: { type: 'go' } },
  actors: { work: effectLogic<object, object>() },
  actions: { request: requestAction },
  guards: { isReady: () => true },
  delays: { soon: 10 },
});
const options = { maxIterations: 100 };
const effects = {
  work: defineEffect<object, object, object>({ class: 'once', timeoutMs: 1, run: () => Promise.resolve({}) }),
};

function problemsOf(machine: unknown, known: object = effects): string {
  try {
    validateMachine('task', machine as AnyStateMachine, known as typeof effects);
    return '';
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

const invoke = { id: 'w', src: 'work', input: {}, onDone: 'b', onError: 'b' } as const;

describe('registration', () => {
  it('[ST-11] accepts what the runtime supports', () => {
    const machine = parts.createMachine({
      options,
      initial: 'a',
      states: {
        a: {
          invoke,
          after: { soon: 'b', 50: 'b' },
          on: {
            go: {
              target: 'b',
              guard: 'isReady',
              actions: [assign({}), { type: 'request', params: [] }, raise({ type: 'go' }, { id: 'later', delay: 5 })],
            },
          },
        },
        b: { type: 'final' },
      },
    });
    expect(problemsOf(machine)).toBe('');
  });

  const states = (a: object) => ({ options, initial: 'a', states: { a, b: {} } }) as never;
  const cases: [string, object, RegExp][] = [
    ['missing maxIterations', { initial: 'a', states: { a: {} } }, /maxIterations/],
    ['an inline action', states({ entry: () => {} }), /inline action .*requestAction/],
    ['an inline guard', states({ on: { go: { target: 'b', guard: () => true } } }), /inline guard.*guards/],
    ['sendTo', states({ entry: sendTo('x', { type: 'go' }) }), /sendTo.*send\(/],
    ['spawnChild', states({ entry: spawnChild('work', { id: 'x' }) }), /spawnChild.*invoke/],
    ['a delayed raise without id', states({ entry: raise({ type: 'go' }, { delay: 5 }) }), /delayed raise needs an id/],
    ['an invoke without id', states({ invoke: { ...invoke, id: undefined } }), /explicit id/],
    ['an invoke without onError', states({ invoke: { ...invoke, onError: undefined } }), /onError/],
    ['a systemId', states({ invoke: { ...invoke, systemId: 's' } }), /systemId/],
    ['an inline invoke', states({ invoke: { ...invoke, src: effectLogic() } }), /inline invoke/],
    ['an unknown action', states({ entry: 'nothing' }), /'nothing' is not in setup/],
    ['an unknown delay', states({ after: { never: 'b' } }), /after 'never'/],
  ];
  for (const [name, config, message] of cases) {
    it(`[ST-12] refuses ${name} and says what to write instead`, () => {
      expect(problemsOf(parts.createMachine(config as never))).toMatch(message);
    });
  }

  it('[ST-13] refuses an effect that no invoke could name, and an invoke without an effect', () => {
    const machine = parts.createMachine(states({ invoke }));
    expect(problemsOf(machine, {})).toMatch(/not in the actor's effects/);
    expect(problemsOf(machine, { ...effects, other: effects.work })).toMatch(/effect 'other'/);
  });

  it('[ST-14] lists every problem at once', () => {
    const machine = parts.createMachine({
      initial: 'a',
      states: { a: { entry: () => {}, invoke: { ...invoke, id: undefined } }, b: {} },
    } as never);
    expect(problemsOf(machine).split('\n- ')).toHaveLength(4);
  });

  it('[UP-05] the definition hash follows the structure, not function bodies', () => {
    const machine = (target: string, value: number) =>
      parts.createMachine(
        states({ on: { go: { target, actions: assign(() => ({ value })) } } }),
      ) as unknown as AnyStateMachine;
    expect(hashDefinition(machine('b', 1))).toBe(hashDefinition(machine('b', 2)));
    expect(hashDefinition(machine('b', 1))).not.toBe(hashDefinition(machine('a', 1)));
  });

  it('[UP-05] what is for people does not count, but a state or an event may be called like it', () => {
    const hashOf = (config: object) =>
      hashDefinition(parts.createMachine(states(config)) as unknown as AnyStateMachine);
    expect(hashOf({ description: 'waits', meta: { color: 'red' } })).toBe(hashOf({}));
    expect(hashOf({ on: { meta: 'b' } })).not.toBe(hashOf({ on: {} }));
    const named = (meta: object) => hashOf({ initial: 'meta', states: { meta } });
    expect(named({ type: 'final' })).not.toBe(named({}));
  });

  it('[LS-06] the shard of an address never changes between versions', () => {
    expect([shardOf('default', 'task/tsk_00000001'), shardOf('p', 'job/a')]).toEqual([SHARDS[0], SHARDS[1]]);
    const counts = new Map<number, number>();
    for (let index = 0; index < 25_600; index++) {
      const shard = shardOf('p', `job/${index}`);
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(counts.size).toBe(224);
    expect(Math.max(...counts.values())).toBeLessThan(180);
    expect(shardOf('p', 'page/a', 'browser')).toBe(SHARDS[2]);
  });

  it('[ST-15] times are written as the platform writes them', () => {
    for (const ms of [0, 1, 951_782_400_000, 1_709_210_096_789, 4_102_444_799_999]) {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString());
    }
  });
});

const SHARDS = [176, 148, 224];
