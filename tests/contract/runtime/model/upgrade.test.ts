import { describe, expect, it } from 'vitest';
import type { Json } from '#contracts/json.ts';
import type { LoadedActor } from '#contracts/ports/actor-store.ts';
import type { ActorState } from '#runtime/core/actor-state.ts';
import { keepState, type ActorDefinition, type Upgrade } from '#runtime/core/define-actor.ts';
import { openDraft } from '#runtime/core/draft.ts';
import { finishDraft } from '#runtime/core/finish-draft.ts';
import { rearm, restoreActor } from '#runtime/core/restore-actor.ts';
import { StoredActor } from '#tests/support/models/stored-actor.ts';
import { machines, pipeActor } from '#tests/support/models/versioned-machines.ts';
import { START_MS } from '#tests/support/models/walk.ts';

const LATER = START_MS + 3_000;
const AFTER_OPEN = 'xstate.after.5000.pipe.open';
type Version = keyof typeof machines;

/** Rows of version 1. */
function storedIn(state: 'shut' | 'open' | 'resting'): LoadedActor {
  const [stored] = StoredActor.create(pipeActor(machines.first), 'one', {}, START_MS);
  if (state !== 'shut') stored.mail({ type: 'pipe.open' }, START_MS);
  if (state === 'resting') stored.mail({ type: 'pipe.rest' }, START_MS);
  return stored.loaded;
}

/** What the upgraded actor's first commit writes, and how it stands then. */
function upgraded(definition: ActorDefinition, loaded: LoadedActor) {
  const restored = restoreActor(definition, loaded);
  expect(restored).toMatchObject({ kind: 'upgraded', state: { machineVersion: 2, defHash: definition.defHash } });
  const draft = openDraft(definition, restored.state);
  rearm(draft, LATER);
  return { entry: finishDraft(draft, () => 'main'), state: draft.state };
}

const seen = ({ snapshot, timers, invokes }: ActorState) => ({
  value: snapshot?.value,
  timers: [...timers.values()].map(({ timerId, dueAtMs }) => [timerId, dueAtMs]),
  invokes: Object.keys(invokes),
});

/** Only the states named here; anything else is declined. */
const renames =
  (states: Readonly<Record<string, Json>>): Upgrade =>
  ({ value, historyValue, context }) => {
    const next = typeof value === 'string' ? states[value] : undefined;
    return next === undefined ? null : { value: next, historyValue, context };
  };

describe('a machine that changed', () => {
  it.each(Object.keys(machines).filter((version) => version !== 'first') as Version[])(
    '[UP-02] %s: without an upgrade every stored state needs migration and is left as it is',
    (version) => {
      for (const state of ['shut', 'open', 'resting'] as const) {
        const loaded = storedIn(state);
        const restored = restoreActor(pipeActor(machines[version]), loaded);
        expect(restored).toMatchObject({
          kind: 'needs_migration',
          reason: expect.stringContaining('has no upgrade') as string,
        });
        expect(restored.state.stored).toEqual(loaded.row.snapshot);
        expect(restored.state.defHash).toBe(loaded.row.defHash);
      }
    },
  );

  it('[UP-06] the upgrade is asked about releases only; a definition that nobody gave out is parked', () => {
    const asked: string[] = [];
    const upgrade: Upgrade = (stored) => {
      asked.push(stored.defHash);
      return keepState(stored);
    };
    const definition = pipeActor(machines.addedState, upgrade);
    const loaded = storedIn('shut');
    const foreign = { ...loaded, row: { ...loaded.row, defHash: 'never seen' } };
    expect(restoreActor(definition, foreign)).toMatchObject({
      kind: 'needs_migration',
      reason: expect.stringMatching(/never seen.*no release had that one/u) as string,
    });
    expect(asked).toEqual([]);
    expect(restoreActor(definition, loaded).kind).toBe('upgraded');
    expect(asked).toEqual([loaded.row.defHash]);
  });

  it('[UP-09] added state: timers and effects stay the rows they were', () => {
    const loaded = storedIn('open');
    const { entry, state } = upgraded(pipeActor(machines.addedState, keepState), loaded);
    expect(seen(state)).toEqual({ value: 'open', timers: [[AFTER_OPEN, START_MS + 5_000]], invokes: ['flow'] });
    expect([entry.timersSet, entry.effectsAdded, entry.timersDeleted, entry.effectsDeleted]).toEqual([[], [], [], []]);
    expect([...state.effects.values()]).toEqual(loaded.effects);
  });

  it('[UP-09] atomic to compound: the first inner state gets its effect and its timer, but no entry action runs', () => {
    const { entry, state } = upgraded(pipeActor(machines.atomicToCompound, keepState), storedIn('resting'));
    expect(seen(state)).toEqual({
      value: { resting: 'deep' },
      timers: [['xstate.after.patience.pipe.resting.deep', LATER + 5_000]],
      invokes: ['check'],
    });
    expect(entry.effectsAdded).toMatchObject([
      { invokeId: 'check', src: 'check', input: { runs: 4 }, state: 'pending' },
    ]);
    expect(entry.published).toEqual([]);
  });

  it('[UP-09] a new after on an old state is armed, counted from the upgrade', () => {
    const { entry, state } = upgraded(pipeActor(machines.newAfter, keepState), storedIn('resting'));
    expect(seen(state).timers).toEqual([['xstate.after.patience.pipe.resting', LATER + 5_000]]);
    expect(entry.timersSet).toHaveLength(1);
  });

  it('[UP-09] renamed state: needs its new name, and then its timer under the new id and the effect it had', () => {
    const loaded = storedIn('open');
    expect(restoreActor(pipeActor(machines.renamedState, keepState), loaded)).toMatchObject({
      kind: 'needs_migration',
      reason: expect.stringContaining('open') as string,
    });
    const { entry, state } = upgraded(pipeActor(machines.renamedState, renames({ open: 'flowing' })), loaded);
    expect(seen(state)).toEqual({
      value: 'flowing',
      timers: [['xstate.after.5000.pipe.flowing', LATER + 5_000]],
      invokes: ['flow'],
    });
    expect([...state.effects.values()]).toEqual(loaded.effects);
    expect(entry.timersDeleted).toEqual([AFTER_OPEN]);
  });

  it('[UP-09] removed state: its timer and effect go, a late result is stale', () => {
    const loaded = storedIn('open');
    expect(restoreActor(pipeActor(machines.removedState, keepState), loaded)).toMatchObject({
      kind: 'needs_migration',
    });
    expect(restoreActor(pipeActor(machines.removedState, renames({ shut: 'shut' })), loaded)).toMatchObject({
      kind: 'needs_migration',
      reason: expect.stringContaining('its upgrade declined') as string,
    });
    const definition = pipeActor(machines.removedState, renames({ open: 'shut' }));
    const { entry, state } = upgraded(definition, loaded);
    expect(seen(state)).toEqual({ value: 'shut', timers: [], invokes: [] });
    expect([entry.timersDeleted, entry.effectsDeleted]).toEqual([[AFTER_OPEN], [loaded.effects[0]!.effectId]]);
    const stored = StoredActor.load(definition, rowsAfter(definition, loaded));
    expect(stored.settle(loaded.effects[0]!, { kind: 'done', output: {} }, LATER).verdict).toMatchObject({
      outcome: 'stale',
    });
  });

  it('[UP-09] new region: both regions have what they imply, the old one under its new name', () => {
    const upgrade = renames({ open: { valve: 'open', gauge: 'checking' } });
    const loaded = storedIn('open');
    expect(restoreActor(pipeActor(machines.newRegion, keepState), loaded)).toMatchObject({ kind: 'needs_migration' });
    const { entry, state } = upgraded(pipeActor(machines.newRegion, upgrade), loaded);
    expect(seen(state)).toEqual({
      value: { valve: 'open', gauge: 'checking' },
      timers: [
        ['xstate.after.5000.pipe.valve.open', LATER + 5_000],
        ['xstate.after.patience.pipe.gauge.checking', LATER + 5_000],
      ],
      invokes: ['flow', 'check'],
    });
    expect(entry.effectsAdded).toMatchObject([{ invokeId: 'check' }]);
    expect(entry.timersDeleted).toEqual([AFTER_OPEN]);
    expect(entry.published).toEqual([]);
  });

  it('[UP-09] a region that the upgrade forgot starts at its beginning, with its effect and its timer', () => {
    const { state } = upgraded(pipeActor(machines.newRegion, renames({ open: { valve: 'open' } })), storedIn('open'));
    expect(seen(state).invokes).toEqual(['flow', 'check']);
    expect(state.snapshot?.matches({ gauge: 'checking' })).toBe(true);
  });

  it('[UP-09] the upgraded actor is stored under its new definition and needs no upgrade again', () => {
    const definition = pipeActor(machines.atomicToCompound, keepState);
    const rows = rowsAfter(definition, storedIn('resting'));
    expect(rows.row).toMatchObject({ machineVersion: 2, defHash: definition.defHash });
    const stored = StoredActor.load({ ...definition, upgrade: null }, rows);
    const [timer] = stored.loaded.timers;
    stored.fire(timer!, timer!.dueAtMs);
    expect(stored.observe()).toMatchObject({ value: { resting: 'light' }, timers: [], invokes: [] });
  });
});

/** Rows after the first commit of the upgraded actor. */
function rowsAfter(definition: ActorDefinition, loaded: LoadedActor): LoadedActor {
  const { entry, state } = upgraded(definition, loaded);
  const row = {
    ...loaded.row,
    ...entry.next,
    seq: entry.expectedSeq + 1,
    snapshot: JSON.parse(entry.next.snapshotText!),
  };
  return { row, timers: [...state.timers.values()], effects: [...state.effects.values()] };
}
