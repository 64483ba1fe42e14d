import { describe, expect, it } from 'vitest';
import type { AnyMachineSnapshot, AnyStateNode } from 'xstate';
import { catalogue } from '#actors/catalogue.ts';
import type { LoadedActor } from '#contracts/ports/actor-store.ts';
import type { ActorState } from '#runtime/core/actor-state.ts';
import { keepState, type ActorDefinition } from '#runtime/core/define-actor.ts';
import { openDraft } from '#runtime/core/draft.ts';
import { finishDraft } from '#runtime/core/finish-draft.ts';
import { rearm, restoreActor } from '#runtime/core/restore-actor.ts';
import { storeSnapshot } from '#runtime/core/stored-snapshot.ts';
import { hasEnd, modelOf, type ActorModel, type Scenario } from '#tests/support/models/actor-model.ts';
import { corpusFolder, makeAlone, readCorpus, type CorpusEntry } from '#tests/support/models/corpus.ts';
import { productModels } from '#tests/support/models/product/product-models.ts';
import { findReleaseProblem, INSTALLED_XSTATE } from '#tests/support/models/release-check.ts';
import { movesIn, shortestPaths, takes, type Move } from '#tests/support/models/shortest-paths.ts';
import { StoredActor } from '#tests/support/models/stored-actor.ts';

const NOW = Date.UTC(2026, 5, 1);
const releases = catalogue.flatMap((definition) =>
  definition.released.map((release) => [`${definition.kind} v${release.version}`, definition, release] as const),
);

/** With today's code; an upgraded actor with what its new state implies armed. */
function restore(definition: ActorDefinition, { loaded, release }: CorpusEntry): ActorState {
  const restored = restoreActor(definition, loaded);
  expect(restored).not.toHaveProperty('reason');
  const isOfToday = release.defHash === definition.defHash || loaded.row.status !== 'active';
  expect(restored.kind).toBe(isOfToday ? 'ready' : 'upgraded');
  if (restored.kind === 'ready') return restored.state;
  const draft = openDraft(definition, restored.state);
  rearm(draft, NOW);
  return draft.state;
}

function nodesOf(snapshot: AnyMachineSnapshot): readonly AnyStateNode[] {
  return snapshot._nodes as readonly AnyStateNode[];
}

function rowsOf(definition: ActorDefinition, state: ActorState, loaded: LoadedActor): LoadedActor {
  const { next } = finishDraft(openDraft(definition, state), () => 'main');
  const row = { ...loaded.row, ...next, snapshot: JSON.parse(next.snapshotText ?? '') as never };
  return { row, timers: [...state.timers.values()], effects: [...state.effects.values()] };
}

/** The shortest way to an end; for a machine without one, whatever it takes here. */
function waysOn(model: ActorModel, scenario: Scenario, from: AnyMachineSnapshot): (readonly Move[])[] {
  if (!hasEnd(model)) {
    return movesIn(model, from)
      .filter((move) => move.move === 'mail' && takes(from, move.event))
      .map((move) => [move]);
  }
  const ends = shortestPaths(model, scenario, { from, until: ({ status }) => status === 'done' });
  return ends
    .sort((a, b) => a.moves.length - b.moves.length)
    .slice(0, 1)
    .map(({ moves }) => moves);
}

describe('corpus of released machines', { timeout: 60_000 }, () => {
  it.each(releases)(
    '[UP-08] %s: every stored state is restored as it was, and twice gives the same bytes',
    (_name, definition, release) => {
      const entries = readCorpus(definition.kind, release.version);
      expect(entries.length, corpusFolder(definition.kind, release.version)).toBeGreaterThan(1);
      for (const entry of entries) {
        expect(entry.release).toEqual(release);
        const state = restore(definition, entry);
        const stored = storeSnapshot(state);
        if (release.defHash === definition.defHash)
          expect(JSON.stringify(stored)).toBe(JSON.stringify(entry.loaded.row.snapshot));
        const again = restoreActor(definition, rowsOf(definition, state, entry.loaded));
        expect(again.kind).toBe('ready');
        expect(JSON.stringify(storeSnapshot(again.state))).toBe(JSON.stringify(stored));
      }
    },
  );

  it.each(releases)(
    '[UP-08] %s: every stored state has exactly its timers and effects',
    (_name, definition, release) => {
      for (const entry of readCorpus(definition.kind, release.version)) {
        const { snapshot, invokes, timers, effects } = restore(definition, entry);
        if (snapshot === null) {
          expect([timers.size, effects.size]).toEqual([0, 0]);
          continue;
        }
        const nodes = nodesOf(snapshot);
        expect(Object.keys(invokes).sort()).toEqual(nodes.flatMap((node) => node.invoke.map(({ id }) => id)).sort());
        expect([...effects.keys()].sort()).toEqual(Object.values(invokes).sort());
        expect([...timers.keys()].sort()).toEqual(
          // one timer has as many ways out as it has guards
          [...new Set(nodes.flatMap((node) => node.after.map((one) => one.eventType)))].sort(),
        );
      }
    },
  );

  it.each(releases)('[UP-08] %s: every stored state goes on', (_name, definition, release) => {
    const model = modelOf(productModels, definition.kind);
    let steps = 0;
    for (const entry of readCorpus(definition.kind, release.version)) {
      const state = restore(definition, entry);
      const scenario = model.scenarios.find(({ name }) => name === entry.scenario) ?? model.scenarios[0]!;
      if (state.snapshot === null) continue;
      const ways = waysOn(model, scenario, state.snapshot);
      expect(ways.length).toBeGreaterThan(0);
      for (const way of ways) {
        const stored = StoredActor.load(definition, rowsOf(definition, state, entry.loaded));
        for (const move of way) makeAlone(stored, move);
        steps += way.length;
        expect(stored.loaded.row.status).toBe(hasEnd(model) ? 'done' : 'active');
        expect(stored.loaded.row.seq).toBe(entry.loaded.row.seq + way.length);
      }
    }
    console.log(`${definition.kind} v${release.version}: ${steps} steps onward`);
  });

  it.each(catalogue.map((definition) => [definition.kind, definition] as const))(
    '[UP-07] %s: what stands in the code is its last release',
    (_kind, definition) => {
      expect(findReleaseProblem(definition, INSTALLED_XSTATE)).toBeNull();
    },
  );

  it('[UP-07] a changed machine, another XState, a missing upgrade and a wrong number are told with what to do', () => {
    const known = catalogue.find(({ kind }) => kind === 'task')!;
    const [first] = known.released;
    const task = { ...known, version: 1, released: [first!], defHash: first!.defHash, upgrade: null };
    const problem = (change: Partial<ActorDefinition>, xstate = INSTALLED_XSTATE) =>
      findReleaseProblem({ ...task, ...change }, xstate);
    expect(problem({ defHash: 'new' })).toContain(
      `set version 2 in its actor.ts, write its upgrade.ts, add { version: 2, defHash: 'new', xstate: '${INSTALLED_XSTATE}' }`,
    );
    expect(problem({}, '9.0.0')).toContain(`was released on XState ${INSTALLED_XSTATE}, this is 9.0.0: set version 2`);
    expect(problem({ released: [] })).toContain('never released: list { version: 1');
    expect(problem({ version: 3 })).toContain('says version 3');
    const second = { ...first!, version: 2, defHash: 'new' };
    const changed = { defHash: 'new', version: 2, released: [first!, second] };
    expect(problem(changed)).toContain('no upgrade.ts');
    expect(problem({ ...changed, upgrade: keepState })).toBeNull();
    expect(problem({ released: [{ ...first!, version: 3 }, first!] })).toContain('not numbered');
  });
});
