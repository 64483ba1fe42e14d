import { describe, expect, it } from 'vitest';
import { descendants, type ProcessRow } from '#runtime/providers/browser/engine/process-table.ts';
import {
  judgeProcesses,
  NOTHING_SEEN,
  type ProcessSample,
  type WatchVerdict,
} from '#runtime/providers/browser/engine/process-watch.ts';

const LIMITS = { rendererBytes: 100, engineBytes: 300, busyMs: 60_000 };
const page = (pid: number, bytes: number, cpuMs = 0): ProcessSample => ({ pid, bytes, cpuMs, isRenderer: true });

/** Looks every five seconds; the processor time of each process grows by what `busy` says. */
function looks(count: number, busy: (look: number) => number): WatchVerdict {
  let verdict: WatchVerdict = { state: NOTHING_SEEN, bytes: 0, isTooLarge: false, end: [] };
  let cpuMs = 0;
  for (let look = 0; look <= count; look += 1) {
    cpuMs += busy(look);
    verdict = judgeProcesses(verdict.state, { atMs: look * 5000, samples: [page(1, 10, cpuMs)] }, LIMITS);
  }
  return verdict;
}

describe('watching the processes of a browser', () => {
  it('[BE5] a page beyond its memory is ended, the browser itself never', () => {
    const samples = [page(1, 101), page(2, 100), { ...page(3, 150), isRenderer: false }];
    expect(judgeProcesses(NOTHING_SEEN, { atMs: 0, samples }, LIMITS).end).toEqual([
      { pid: 1, reason: 'it takes too much memory' },
    ]);
  });

  it('[BE5] a page is ended after it kept a core busy without a pause, not before', () => {
    expect(looks(11, () => 4900).end).toEqual([]);
    expect(looks(12, () => 4900).end).toHaveLength(1);
    expect(looks(30, (look) => (look % 8 === 0 ? 0 : 5000)).end).toEqual([]);
  });

  it('[BE4] all pages together make a browser too large; far beyond it the largest page goes at once', () => {
    const large = judgeProcesses(NOTHING_SEEN, { atMs: 0, samples: [1, 2, 3, 4].map((pid) => page(pid, 90)) }, LIMITS);
    expect([large.isTooLarge, large.bytes, large.end]).toEqual([true, 360, []]);
    const samples = [1, 2, 3, 4, 5].map((pid) => page(pid, 90 + pid));
    expect(judgeProcesses(NOTHING_SEEN, { atMs: 0, samples }, LIMITS).end.map(({ pid }) => pid)).toEqual([5]);
  });

  it('[BE3] the processes of a browser are it and all below it that still run', () => {
    const row = (pid: number, parent: number, state = 'S'): ProcessRow => ({
      pid,
      parent,
      state,
      started: '1',
      cpuMs: 0,
    });
    const rows = [row(9, 3), row(1, 0), row(2, 1), row(3, 2), row(4, 2, 'Z'), row(5, 1)];
    expect(descendants(2, rows).map(({ pid }) => pid)).toEqual([2, 3, 9]);
  });
});
