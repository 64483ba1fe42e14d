import { runCanaryMatrix } from '#tests/security/egress/matrix.ts';

/** Ways out of a page that were seen to work, and how often one of them reached what it must not. */
export async function measureEgress(): Promise<{ vectors: number; canary_hits: number }> {
  const { vectors, canary_hits } = await runCanaryMatrix();
  return { vectors, canary_hits };
}
