import { renderBars, renderLines } from '../charts.ts';
import { renderTable, type Page, type Section } from '../report-page.ts';
import type { LoadReport } from './load-report.ts';

/** The charts of one run. */
export function loadPage(report: LoadReport): Page {
  const { actors, postgres, fsync, wire } = report;
  const sections = [spawnSection, memorySection, latencySection, recoverySection, stopSection, figuresSection];
  return {
    title: `Load: ${actors.toLocaleString('en-US')} actors`,
    lead: `PostgreSQL ${postgres}, fsync ${fsync}; between processes: ${wire}. The limit is the same rows through the same driver and SQL, without actors.`,
    sections: sections.map((section) => section(report)).filter((section) => section !== null),
  };
}

function spawnSection(report: LoadReport): Section {
  const bars = [
    { label: 'actors', value: report.spawn_per_s },
    { label: 'limit', value: report.spawn_limit_per_s, tone: 'b' as const },
  ];
  return {
    heading: 'Creating actors',
    note: `${report.actors.toLocaleString('en-US')} actors with their first durable state in ${report.spawn_s} s.`,
    body: renderBars({ name: 'Actors created per second', unit: '/s', bars }),
  };
}

function memorySection(report: LoadReport): Section {
  const bars = [
    { label: 'asleep', value: report.sleeping_bytes_per_actor },
    { label: 'resident', value: report.resident_bytes_per_actor },
  ];
  return {
    heading: 'Memory of one actor',
    note: 'Live bytes of the process after a collection. An actor that sleeps is only a row.',
    body: renderBars({ name: 'Bytes per actor', unit: 'bytes', bars }),
  };
}

function latencySection(report: LoadReport): Section {
  const bars = [
    { label: 'wake up, p50', value: report.wake_p50_ms },
    { label: 'wake up, p99', value: report.wake_p99_ms, tone: 'c' as const },
    { label: 'between processes, p50', value: report.cross_process_p50_ms },
    { label: 'between processes, p99', value: report.cross_process_p99_ms, tone: 'c' as const },
  ];
  const known = bars.flatMap((bar) => (bar.value === null ? [] : [{ ...bar, value: bar.value }]));
  return {
    heading: 'Latency while idle',
    note: 'Wake-up: from sending to the commit that consumed, the actor not being in memory. Between processes: from commit to commit.',
    body: renderBars({
      name: 'Latency',
      unit: 'ms',
      bars: known,
      mark: { value: 25, label: 'wake-up p99 below 25 ms' },
    }),
  };
}

function recoverySection(report: LoadReport): Section | null {
  const { others_timeline: timeline, recovery_s, recovered_actors, takeover_s } = report;
  if (timeline === null || timeline.length === 0) return null;
  return {
    heading: 'A worker is killed',
    note: `One of four. Its ${recovered_actors} actors had work: taken over after ${takeover_s} s, all done after ${recovery_s} s. The lines are the other workers' answers.`,
    body: renderLines({
      name: "Other workers' latency around the kill",
      unit: 'ms',
      at: timeline.map(({ atS }) => atS),
      atUnit: 's',
      series: [
        { label: 'p99', tone: 'c', values: timeline.map(({ p99Ms }) => p99Ms) },
        { label: 'p50', tone: 'a', values: timeline.map(({ p50Ms }) => p50Ms) },
      ],
      mark: { at: 0, label: 'killed' },
    }),
  };
}

function stopSection(report: LoadReport): Section | null {
  const { stop_persisted_p50_ms: p50, stop_persisted_p99_ms: p99 } = report;
  if (p50 === null || p99 === null) return null;
  const bars = [
    { label: 'p50', value: p50 },
    { label: 'p99', value: p99, tone: 'c' as const },
  ];
  return {
    heading: 'Stop',
    note: `${report.stop_actors} busy actors under one fence, ${report.stop_rounds} rounds: from accepted to persisted. Of ${report.stop_commits} commits ${report.commits_after_stop} came after the stop, of ${report.stop_effects} effects ${report.effects_after_stop} were sent after it.`,
    body: renderBars({ name: 'Stop', unit: 'ms', bars, mark: { value: 100, label: 'p99 below 100 ms' } }),
  };
}

function figuresSection(report: LoadReport): Section {
  const rows = Object.entries(report).flatMap(([name, value]) =>
    typeof value === 'number' || typeof value === 'string' ? [[name, String(value)] as const] : [],
  );
  return { heading: 'All figures', note: 'As printed with --json.', body: renderTable(rows) };
}
