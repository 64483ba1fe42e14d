import type { RecyclingLimits } from './browser-engine.ts';
import { machineMemory } from './machine-memory.ts';

const GIB = 1024 ** 3;

/** Half of the memory of this machine or container for the browser, and no more than four gibibytes. */
export function recyclingLimits(): RecyclingLimits {
  const engineBytes = Math.min(4 * GIB, machineMemory().total / 2);
  return {
    maxAgeMs: 4 * 3600_000,
    maxSessions: 1000,
    engineBytes,
    rendererBytes: Math.min(1.5 * GIB, engineBytes / 2),
    busyMs: 60_000,
  };
}
