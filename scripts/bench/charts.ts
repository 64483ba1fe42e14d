import { escapeText } from './report-page.ts';

const WIDTH = 820;
const LABEL = 190;
const VALUE = 110;
const ROW = 24;
const TONES = ['a', 'b', 'c'] as const;

export type Bar = { readonly label: string; readonly value: number; readonly tone?: (typeof TONES)[number] };
/** `bar`: what the figure must not pass (or must reach), drawn as a line. */
export type BarChart = {
  readonly name: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
  readonly mark?: { readonly value: number; readonly label: string };
};

/** Horizontal bars on one scale from 0. */
export function renderBars({ name, unit, bars, mark }: BarChart): string {
  const most = Math.max(...bars.map(({ value }) => value), mark?.value ?? 0, Number.MIN_VALUE);
  const x = (value: number): number => LABEL + (Math.max(0, value) / most) * (WIDTH - LABEL - VALUE);
  const rows = bars.map(({ label, value, tone = 'a' }, index) => {
    const y = index * ROW;
    return `<text class="soft" x="${LABEL - 10}" y="${y + 15}" text-anchor="end">${escapeText(label)}</text>
<rect class="${tone}" x="${LABEL}" y="${y + 3}" width="${(x(value) - LABEL).toFixed(1)}" height="${ROW - 8}" rx="2"/>
<text x="${(x(value) + 8).toFixed(1)}" y="${y + 15}">${escapeText(`${format(value)} ${unit}`)}</text>`;
  });
  const height = bars.length * ROW + (mark === undefined ? 0 : 18);
  const line = mark === undefined ? '' : renderMark(x(mark.value), bars.length * ROW, mark.label);
  return svg(name, height, [...rows, line]);
}

function renderMark(x: number, height: number, label: string): string {
  return `<line class="limit" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="0" y2="${height}"/>
<text class="limit-text" x="${x.toFixed(1)}" y="${height + 14}" text-anchor="middle">${escapeText(label)}</text>`;
}

export type Series = { readonly label: string; readonly tone: 'a' | 'c'; readonly values: readonly number[] };
export type LineChart = {
  readonly name: string;
  readonly unit: string;
  /** One for each value; whole numbers get a tick. */
  readonly at: readonly number[];
  readonly atUnit: string;
  readonly series: readonly Series[];
  readonly mark?: { readonly at: number; readonly label: string };
};

const HEIGHT = 220;
const LEFT = 50;

export function renderLines({ name, unit, at, atUnit, series, mark }: LineChart): string {
  const most = Math.max(...series.flatMap(({ values }) => values), Number.MIN_VALUE);
  const [first = 0, last = 1] = [at[0], at.at(-1)];
  const x = (value: number): number => LEFT + ((value - first) / Math.max(last - first, 1e-9)) * (WIDTH - LEFT - 20);
  const y = (value: number): number => HEIGHT - (value / most) * HEIGHT;
  const rules = [0, 0.5, 1].map((share) => {
    const height = y(most * share).toFixed(1);
    return `<line class="rule" x1="${LEFT}" x2="${WIDTH}" y1="${height}" y2="${height}"/>
<text class="soft" x="${LEFT - 8}" y="${Number(height) + 4}" text-anchor="end">${format(most * share)}</text>`;
  });
  const lines = series.map(({ tone, values }) => {
    const points = values.map((value, index) => `${x(at[index] ?? 0).toFixed(1)},${y(value).toFixed(1)}`);
    return `<polyline class="line ${tone}" points="${points.join(' ')}"/>`;
  });
  const legend = series.map(
    ({ label, tone }, index) =>
      `<rect class="${tone}" x="${LEFT + index * 150}" y="${HEIGHT + 34}" width="10" height="10"/>
<text x="${LEFT + index * 150 + 16}" y="${HEIGHT + 43}">${escapeText(`${label}, ${unit}`)}</text>`,
  );
  const ends = [first, last].map(
    (value) =>
      `<text class="soft" x="${x(value).toFixed(1)}" y="${HEIGHT + 18}" text-anchor="middle">${format(value)} ${escapeText(atUnit)}</text>`,
  );
  const line = mark === undefined ? '' : renderMark(x(mark.at), HEIGHT, mark.label);
  return svg(name, HEIGHT + 50, [...rules, ...lines, line, ...ends, ...legend]);
}

function svg(name: string, height: number, parts: readonly string[]): string {
  const body = parts.join('\n');
  return `<svg role="img" aria-label="${escapeText(name)}" viewBox="0 0 ${WIDTH} ${height}">${body}</svg>`;
}

function format(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return Number(value.toFixed(digits)).toLocaleString('en-US');
}
