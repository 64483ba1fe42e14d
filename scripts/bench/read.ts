import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail } from '#contracts/errors.ts';
import type { ReaderPort } from '#contracts/ports/reader.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import { measureWalls } from '#tests/support/sites/walls/measure-walls.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';
import { articleCases, productCases, renderedCases, tableCases, type SavedPage } from './read/data-sets.ts';
import { measureEgress } from './read/measure-egress.ts';
import { measureSpeed } from './read/measure-speed.ts';
import { readLines, type ReadReport } from './read/read-report.ts';
import { overlapOf, scoreArticles } from './read/score-articles.ts';
import { scoreProducts } from './read/score-products.ts';
import { scoreTables } from './read/score-tables.ts';
import { textSimilarity } from './read/text-similarity.ts';
import { visibleText } from './read/visible-text.ts';
import { median } from './runtime/percentiles.ts';

const SPEED_PAGES = 16;
const SKIPPABLE: readonly string[] = ['speed', 'egress'];

type Options = {
  readonly data: string;
  readonly json: boolean;
  readonly skip: ReadonlySet<string>;
  readonly pages: number;
};

/** How well saved pages of others are read, and what the whole way through the browser costs. */
export async function runRead(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const reader = createReader();
  const report: ReadReport = {
    articles: await measureArticles(reader, options.data),
    products: await measureProducts(reader, options.data),
    tables: await measureTables(reader, options.data),
    readability: await measureRendered(reader, options.data),
    speed: options.skip.has('speed') ? null : await measureSpeed(speedPages(options)),
    egress: options.skip.has('egress') ? null : await measureEgress(),
    blocked: await measureBlocked(reader),
  };
  for (const line of readLines(report)) process.stderr.write(`${line}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  return 0;
}

function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        data: { type: 'string' },
        json: { type: 'boolean', default: false },
        skip: { type: 'string', default: '' },
        pages: { type: 'string', default: String(SPEED_PAGES) },
      },
    });
    const { data, json, skip } = values;
    if (data === undefined) throw new Error('--data is needed');
    const skipped = new Set(skip.split(',').filter((part) => part !== ''));
    if ([...skipped].some((part) => !SKIPPABLE.includes(part))) throw new Error(`--skip takes ${SKIPPABLE.join(', ')}`);
    const pages = Number(values.pages);
    if (!Number.isInteger(pages) || pages < 1) throw new Error('--pages takes a whole number from 1');
    return { data: resolve(data), json, skip: skipped, pages };
  } catch (cause) {
    return fail('request.invalid', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function readSaved(reader: ReaderPort, { html, url }: SavedPage): Promise<ReadPage> {
  // Many saved pages claim the charset that they were once served in; the mark outranks the claim.
  const bytes = new TextEncoder().encode(`\ufeff${html()}`);
  return reader.read({ bytes, contentType: 'text/html', url });
}

async function measureArticles(reader: ReaderPort, data: string): Promise<ReadReport['articles']> {
  const cases = articleCases(data);
  const overlaps = [];
  for (const one of cases) overlaps.push(overlapOf(one.body, (await readSaved(reader, one)).text));
  return { pages: cases.length, ...scoreArticles(overlaps) };
}

async function measureProducts(reader: ReaderPort, data: string): Promise<ReadReport['products']> {
  const cases = productCases(data);
  const pages = [];
  for (const one of cases) pages.push({ accepted: one.accepted, fields: (await readSaved(reader, one)).fields });
  return { pages: cases.length, ...scoreProducts(pages) };
}

async function measureTables(reader: ReaderPort, data: string): Promise<ReadReport['tables']> {
  const cases = tableCases(data);
  let [cells, exact] = [0, 0];
  for (const one of cases) {
    const score = scoreTables(one.gold, (await readSaved(reader, one)).tables);
    cells += score.cells;
    exact += score.isExact ? 1 : 0;
  }
  return { pages: cases.length, cell_f1: cells / cases.length, exact_rate: exact / cases.length };
}

async function measureRendered(reader: ReaderPort, data: string): Promise<ReadReport['readability']> {
  const cases = renderedCases(data);
  const similarities: number[] = [];
  for (const one of cases)
    similarities.push(textSimilarity(visibleText(one.expected), (await readSaved(reader, one)).text));
  return { pages: cases.length, median_similarity: median(similarities) };
}

async function measureBlocked(reader: ReaderPort): Promise<ReadReport['blocked']> {
  const { pages, false_accepts, false_rejects } = await measureWalls(reader);
  return { pages, false_accepts, false_rejects };
}

/** Some of each set, evenly spread, so that long and short pages are among them. */
function speedPages({ data, pages }: Options): SavedPage[] {
  const sets: readonly SavedPage[][] = [articleCases(data), productCases(data), tableCases(data), renderedCases(data)];
  const share = Math.ceil(pages / sets.length);
  const chosen = sets.flatMap((set) => set.filter((_, index) => index % Math.ceil(set.length / share) === 0));
  return chosen.slice(0, pages);
}
