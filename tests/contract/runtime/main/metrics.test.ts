import { expect, it } from 'vitest';
import type { HostStats } from '#runtime/host/actor-host.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { renderMetrics } from '#runtime/main/metrics.ts';
import { createViewerLink } from '#runtime/main/viewer-link.ts';

it('[OP-01] pictures that became old under the eyes of a viewer are counted', () => {
  const link = createViewerLink(createMemoryBus());
  link.countStale();
  link.countStale();
  const lines = renderMetrics({ shards: 3 } as HostStats, true, link.staleFrames).split('\n');
  expect(lines).toContain('yunsou_stale_frames_total 2');
  expect(lines).toContain('# TYPE yunsou_stale_frames_total counter');
  expect(lines).toContain('yunsou_shards 3');
});
