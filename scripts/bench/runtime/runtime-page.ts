import { renderBars } from '../charts.ts';
import { renderTable, type Page, type Section } from '../report-page.ts';
import type { RuntimePoint, RuntimeReport } from './runtime-report.ts';

/** The charts of one run. */
export function runtimePage({ state_bytes, postgres, fsync, points }: RuntimeReport): Page {
  return {
    title: 'Durable steps',
    lead: `PostgreSQL ${postgres}, fsync ${fsync}; ${state_bytes} bytes of state, one mailbox row in and one out per step. The limit is the same rows through the same driver and SQL, without actors.`,
    sections: points.map(sectionOf),
  };
}

function sectionOf(point: RuntimePoint): Section {
  const throughput = renderBars({
    name: 'Steps per second',
    unit: '/s',
    bars: [
      { label: 'actors', value: point.steps_per_s },
      { label: 'limit', value: point.limit_steps_per_s, tone: 'b' },
      { label: 'by hand', value: point.per_transition_steps_per_s, tone: 'c' },
    ],
  });
  const figures = renderTable(Object.entries(point).map(([name, value]) => [name, String(value)] as const));
  return {
    heading: `${point.concurrency} busy actors`,
    note: `${point.ratio_to_limit} of the limit, ${point.ratio_to_per_transition} times what one statement per transition gives; p50 ${point.p50_ms} ms, p99 ${point.p99_ms} ms.`,
    body: throughput + figures,
  };
}
