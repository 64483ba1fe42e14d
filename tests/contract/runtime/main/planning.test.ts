import { describe, expect, it } from 'vitest';
import { failure, PlatformError } from '#contracts/errors.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';
import { DEFAULT_SPEC_SETTINGS } from '#contracts/research/spec-settings.ts';
import { createPlanning, type PlanningParts } from '#runtime/main/planning.ts';
import { PageWorld } from '#tests/support/fakes/page-world.ts';

const world = new PageWorld();
const searching = (provider: string, code: 'search.unavailable' | 'search.response_invalid') => {
  const asked: string[] = [];
  const port: SearchPort = {
    provider,
    search: ({ brief }) => {
      asked.push(brief);
      return Promise.reject(new PlatformError(failure(code, 'told by the far end')));
    },
  };
  return { asked, port };
};
const parts = (change: Partial<PlanningParts>): PlanningParts => ({
  models: null,
  search: world.search,
  browser: world.browser,
  liveWorkers: () => Promise.resolve([]),
  settings: DEFAULT_SPEC_SETTINGS,
  ...change,
});
const request = {
  engine: EXTRACTIVE,
  language: 'en' as const,
  needsSearch: true,
  signal: new AbortController().signal,
};

describe('planning', () => {
  it('[PP1] the surroundings are what is configured, and nothing is asked for them', () => {
    const { asked, port } = searching('library', 'search.unavailable');
    const planning = createPlanning(parts({ search: port }));
    expect(planning.surroundings()).toMatchObject({
      engine: EXTRACTIVE,
      settings: DEFAULT_SPEC_SETTINGS,
      abilities: { search: true, cost: { kind: 'free' } },
    });
    expect(createPlanning(parts({ search: null })).surroundings().abilities.search).toBe(false);
    expect(asked).toEqual([]);
  });

  it('[PP2] a probe really asks, and a search that found nothing has answered (TS-05)', async () => {
    const broken = searching('library', 'search.unavailable');
    expect(await createPlanning(parts({ search: broken.port })).probe(request)).toMatchObject([
      { severity: 'error', code: 'ability.search_unreachable' },
    ]);
    const empty = searching('library', 'search.response_invalid');
    expect(await createPlanning(parts({ search: empty.port })).probe(request)).toEqual([]);
    expect([broken.asked.length, empty.asked.length]).toEqual([1, 1]);
  });

  it('[PP2] what is charged by the call is told and not asked; a browser of another process is known by its heart-beat', async () => {
    const paid = searching('brave', 'search.unavailable');
    expect(await createPlanning(parts({ search: paid.port })).probe(request)).toMatchObject([{ severity: 'note' }]);
    expect(paid.asked).toEqual([]);
    const distant = (pools: 'browser' | 'main') =>
      createPlanning(parts({ browser: null, liveWorkers: () => Promise.resolve([{ id: 'w', pools: [pools] }]) }));
    expect(await distant('browser').probe({ ...request, needsSearch: false })).toEqual([]);
    expect(await distant('main').probe({ ...request, needsSearch: false })).toMatchObject([
      { severity: 'error', code: 'ability.browser_unreachable' },
    ]);
  });

  it('[PP3] an engine is the same only in all its versions', () => {
    const planning = createPlanning(parts({}));
    const pinned = {
      kind: 'model',
      profile: 'a',
      profile_version: '1',
      prompts_version: '1',
      price_version: null,
    } as const;
    expect(planning.engineProblem(EXTRACTIVE)).toBeNull();
    expect(planning.engineProblem(pinned)).toContain('model, not extractive');
  });
});
