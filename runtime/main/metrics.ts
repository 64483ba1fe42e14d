import type { HostStats } from '#runtime/host/actor-host.ts';

const GAUGES: readonly (keyof HostStats)[] = [
  'shards',
  'residents',
  'residentBytes',
  'queuedMessages',
  'runningEffects',
];

/** Prometheus text format 0.0.4. */
export function renderMetrics(stats: HostStats, isWireUp: boolean, staleFrames: number): string {
  const lines = Object.entries(stats).map(([name, value]) => {
    const isGauge = (GAUGES as readonly string[]).includes(name);
    const metric = `yunsou_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${isGauge ? '' : '_total'}`;
    return `# TYPE ${metric} ${isGauge ? 'gauge' : 'counter'}\n${metric} ${value}`;
  });
  const gauge = (name: string, value: number): string => `# TYPE ${name} gauge\n${name} ${value}`;
  const memory = gauge('process_resident_memory_bytes', process.memoryUsage().rss);
  const stale = `# TYPE yunsou_stale_frames_total counter\nyunsou_stale_frames_total ${staleFrames}`;
  return [...lines, stale, gauge('yunsou_wire_up', isWireUp ? 1 : 0), memory, ''].join('\n');
}
