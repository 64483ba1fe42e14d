import { createActor, raise, setup, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineActor, type ActorDefinition } from '#runtime/core/define-actor.ts';
import { committedState } from '#runtime/core/finish-draft.ts';
import type { Request } from '#runtime/core/requests.ts';
import { restoreActor } from '#runtime/core/restore-actor.ts';
import { step } from '#runtime/core/step.ts';
import { StoredActor } from '#tests/support/models/stored-actor.ts';
import { ringActor } from '#tests/support/models/sample-machines.ts';
import { START_MS } from '#tests/support/models/walk.ts';

const bells = setup({ types: {} as { context: { rung: number }; events: { type: 'bell.set' | 'bell.ring' } } });
const bellMachine = bells.createMachine({
  id: 'bell',
  options: { maxIterations: 100 },
  context: { rung: 0 },
  on: {
    'bell.set': { actions: raise({ type: 'bell.ring' }, { id: 'alarm', delay: 100 }) },
    'bell.ring': { actions: bells.assign({ rung: ({ context }) => context.rung + 1 }) },
  },
});
const anything = z.any();
const bellActor: ActorDefinition = defineActor({
  kind: 'bell',
  version: 1,
  machine: bellMachine,
  input: anything,
  context: anything,
  events: anything,
  effects: {},
  view: ({ context }) => context,
});

const published = (asked: { readonly published: readonly unknown[] }) =>
  asked.published.map((event) => (event as { data: { name: string } }).data.name);

describe('where a durable actor differs from XState', () => {
  it('[TM-05] a timer armed again fires once, at the later time; live XState fires both', () => {
    const clock = new SimulatedClock();
    const live = createActor(bellMachine, { clock }).start();
    live.send({ type: 'bell.set' });
    clock.increment(60);
    live.send({ type: 'bell.set' });
    clock.increment(500);
    expect(live.getSnapshot().context.rung).toBe(2);

    const [stored] = StoredActor.create(bellActor, 'one', {}, START_MS);
    stored.mail({ type: 'bell.set' }, START_MS);
    const first = stored.loaded.timers[0]!;
    stored.mail({ type: 'bell.set' }, START_MS + 60);
    expect(stored.loaded.timers).toMatchObject([{ timerId: 'alarm', dueAtMs: START_MS + 160 }]);
    expect(stored.fire(first, START_MS + 100).verdict).toEqual({ kind: 'skipped' });
    stored.fire(stored.loaded.timers[0]!, START_MS + 160);
    expect(stored.observe()).toMatchObject({ context: { rung: 1 }, timers: [] });
  });

  it('[ST-19] regions act in the order of the definition; live XState in the order of what happened before', () => {
    const told: string[] = [];
    const record = (_args: unknown, requests: unknown): void => {
      told.push(...(requests as (Request & { data: { name: string } })[]).map(({ data }) => data.name));
    };
    const live = createActor(ringActor.machine.provide({ actions: { ask: record } as never })).start();
    live.send({ type: 'ring.turn', side: 'left' });
    live.send({ type: 'ring.toll' });
    expect(told).toEqual(['right', 'top', 'left']);

    const [stored] = StoredActor.create(ringActor, 'one', {}, START_MS);
    stored.mail({ type: 'ring.turn', side: 'left' }, START_MS);
    expect(published(stored.mail({ type: 'ring.toll' }, START_MS).asked)).toEqual(['left', 'right', 'top']);
  });

  it('[ST-19] an actor that stayed in memory acts in the same order as one that was loaded again', () => {
    const [stored] = StoredActor.create(ringActor, 'one', {}, START_MS);
    const before = restoreActor(ringActor, stored.loaded).state;
    const names = [{ type: 'ring.turn', side: 'left' }, { type: 'ring.toll' }].reduce(
      ({ state }, event) => {
        const envelope = { messageId: 'm', project: 'model', to: 'ring/one', from: 'http', sentAt: '' };
        const mail = { ...envelope, priority: 'normal' as const, event };
        const { draft } = step(
          ringActor,
          state,
          { kind: 'mail', mailId: 0, envelope: mail, payloadHash: '' },
          START_MS,
        );
        return { state: committedState(draft), names: published(draft as never) };
      },
      { state: before, names: [] as string[] },
    ).names;
    expect(names).toEqual(['left', 'right', 'top']);
  });
});
