import type { HostStats } from '#runtime/host/actor-host.ts';

const GAUGES: readonly (keyof HostStats)[] = [
  'shards',
  'residents',
  'residentBytes',
  'queuedMessages',
  'runningEffects',
];

/** Prometheus text format 0.0.4. */
export function renderMetrics(stats: HostStats): string {
  const lines = Object.entries(stats).map(([name, value]) => {
    const isGauge = (GAUGES as readonly string[]).includes(name);
    const metric = `yunsou_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${isGauge ? '' : '_total'}`;
    return `# TYPE ${metric} ${isGauge ? 'gauge' : 'counter'}\n${metric} ${value}`;
  });
  const memory = process.memoryUsage();
  return [...lines, `# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes ${memory.rss}`, ''].join(
    '\n',
  );
}
