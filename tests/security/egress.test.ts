import { beforeAll, describe, expect, it } from 'vitest';
import { runCanaryMatrix, type MatrixReport } from './egress/matrix.ts';

/** Things that this Chromium does not do by itself, with or without us; another build may. */
const MAY_BE_DEAD = new Set([
  'preconnect',
  'icon',
  'manifest',
  'speculative prefetch',
  'speculative prerender',
  'fetchLater',
]);

describe('canary matrix', () => {
  let report: MatrixReport;
  beforeAll(async () => {
    report = await runCanaryMatrix();
  }, 180_000);

  it('[CM3] no canary on this machine hears anything', () => {
    expect(report.results.filter(({ canaryHits }) => canaryHits > 0)).toEqual([]);
    expect(report.canary_hits).toBe(0);
  });

  it('[CM1] every vector really ran: its twin reached an approved listener, and it was refused itself', () => {
    const approved = report.results.filter(({ control }) => control === 'approved');
    expect(approved.filter(({ refusals }) => refusals === 0)).toEqual([]);
    expect(approved.length).toBeGreaterThanOrEqual(160);
    expect(report.dead.filter((id) => !MAY_BE_DEAD.has(id))).toEqual([]);
  });

  it('[CM2] what goes past a proxy is held back in the browser, and goes out of one without our switches', () => {
    const bare = report.results.filter(({ control }) => control === 'bare browser').map(({ id }) => id);
    expect(bare).toEqual(expect.arrayContaining(['stun', 'turn by udp', 'ice candidate by udp', 'web transport']));
  });
});
