import { defineConfig } from 'vitest/config';

// Two cores are the machine we plan for: more workers only make time limits fail.
const WORKERS = 2;

const POSTGRES_SETUP = ['tests/support/postgres/global-setup.ts'];

/** One project a test layer. Layers run one after the other; files inside a layer share the workers. */
function layer(name: string, order: number, options: object) {
  return {
    test: {
      name,
      include: [`tests/${name}/**/*.test.ts`],
      environment: 'node' as const,
      pool: 'forks' as const,
      maxWorkers: WORKERS,
      sequence: { groupOrder: order },
      // What is awaited comes in milliseconds; the limit only matters on a machine that is busy with something else.
      expect: { poll: { timeout: 15_000 } },
      restoreMocks: true,
      unstubEnvs: true,
      ...options,
    },
  };
}

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      // No service, no network, no disk beyond a temp folder.
      // Files share one module graph: loading it again for each of them took longer than the tests.
      layer('contract', 0, { pool: 'threads', isolate: false, testTimeout: 10_000 }),
      layer('simulation', 1, { testTimeout: 120_000 }),
      layer('integration', 2, { testTimeout: 30_000, hookTimeout: 60_000, globalSetup: POSTGRES_SETUP }),
      layer('security', 3, { testTimeout: 60_000, hookTimeout: 60_000, globalSetup: POSTGRES_SETUP }),
      layer('e2e', 4, { maxWorkers: 1, testTimeout: 180_000, hookTimeout: 120_000, globalSetup: POSTGRES_SETUP }),
    ],
  },
});
