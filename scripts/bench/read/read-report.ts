import { rounded } from '../runtime/percentiles.ts';

export type SpeedReport = {
  readonly pages: number;
  /** Eight sessions at once, through the browser and the reading process. */
  readonly pages_per_s: number;
  /** One session, page after page, beside `page.goto` and `innerText` on the same pages. */
  readonly ratio_to_bare: number;
  readonly ms_per_page: number;
  readonly bare_ms_per_page: number;
  /** How much faster eight sessions are than one on pages that take a while to answer, as pages of the network do. */
  readonly overlap: number;
  readonly mb_per_context: number | null;
};

export type ReadReport = {
  readonly articles: { pages: number; f1: number; precision: number; recall: number };
  readonly products: {
    pages: number;
    price_f1: number;
    availability_f1: number;
    sku_f1: number;
    brand_f1: number;
  };
  readonly tables: { pages: number; cell_f1: number; exact_rate: number };
  readonly readability: { pages: number; median_similarity: number };
  readonly speed: SpeedReport | null;
  readonly egress: { vectors: number; canary_hits: number } | null;
  readonly blocked: { pages: number; false_accepts: number; false_rejects: number };
};

function lineOf(name: string, figures: Readonly<Record<string, number | null>> | null, absent: string): string {
  if (figures === null) return `${name.padEnd(13)}${absent}`;
  const parts = Object.entries(figures).map(([key, value]) => `${key} ${value === null ? 'null' : rounded(value, 4)}`);
  return `${name.padEnd(13)}${parts.join(' · ')}`;
}

export function readLines(report: ReadReport): string[] {
  return [
    lineOf('articles', report.articles, ''),
    lineOf('products', report.products, ''),
    lineOf('tables', report.tables, ''),
    lineOf('readability', report.readability, ''),
    lineOf('speed', report.speed, 'not measured (--skip speed)'),
    lineOf('egress', report.egress, 'not measured (--skip egress)'),
    lineOf('blocked', report.blocked, ''),
  ];
}
