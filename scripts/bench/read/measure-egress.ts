import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The figures of the canary matrix, a set of pages that try to reach what they must not. */
type Matrix = { runCanaryMatrix(): Promise<{ readonly vectors: number; readonly canary_hits: number }> };

const MATRIX = new URL('../../../tests/security/egress/matrix.ts', import.meta.url);

/** Null in an installation that came without its tests. */
export async function measureEgress(): Promise<{ vectors: number; canary_hits: number } | null> {
  if (!existsSync(fileURLToPath(MATRIX))) return null;
  const { runCanaryMatrix } = (await import(MATRIX.href)) as Matrix;
  const { vectors, canary_hits } = await runCanaryMatrix();
  return { vectors, canary_hits };
}
