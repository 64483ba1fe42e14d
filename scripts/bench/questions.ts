import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rankUnits, type RankedUnit } from '#actors/roles/extractor/ranking.ts';
import { unitsOf, type Unit } from '#actors/roles/extractor/units.ts';
import { fail, PlatformError } from '#contracts/errors.ts';
import type { ReadPage } from '#contracts/research/page.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import { createReader } from '#runtime/providers/reader/reader.ts';
import { addressOf } from '#runtime/providers/search/library/library-address.ts';
import { withLibrary, type BenchLibrary } from './bench-library.ts';
import { comparable, goldMatcher } from './gold-answer.ts';
import { readFromSite, readThroughBrowser, type PageSource } from './page-source.ts';
import { readQuestions, type BenchQuestion } from './question-file.ts';

const DEFAULT_PAGES = 6;

type Options = {
  readonly library: string;
  readonly questions: string;
  readonly json: boolean;
  readonly limit: number;
  readonly pages: number;
  readonly browser: boolean;
};
type Shelf = ReadonlyMap<string, { readonly text: string; readonly units: readonly Unit[] }>;
/** `place`: where the first unit with the gold answer came, from 1; null when no unit had it. */
type Outcome = { readonly place: number | null; readonly durationMs: number };

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Question only: the whole library is searched, the best pages' units are ranked; where does the gold answer come?
 * A unit is one sentence, or one table row with its header.
 */
export async function runQuestions(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const questions = await readQuestions(options.questions);
  const reader = createReader();
  return withLibrary(options.library, reader, async (bench) => {
    const { pages, failed } = bench.progress;
    say(`indexed ${pages} pages in ${Math.round(bench.indexMs)} ms, ${failed.length} files left out`);
    const source = options.browser ? await readThroughBrowser(bench, reader) : readFromSite(bench, reader);
    try {
      const shelf = await readShelf(bench, source);
      say(
        `read ${shelf.size} pages ${options.browser ? 'through the browser' : 'from their files, without the browser'}`,
      );
      report(await measure(questions.slice(0, options.limit), shelf, bench.search, options.pages), options);
      return 0;
    } finally {
      await source.close();
    }
  });
}

function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        library: { type: 'string' },
        questions: { type: 'string' },
        json: { type: 'boolean', default: false },
        limit: { type: 'string', default: '1000000' },
        pages: { type: 'string', default: String(DEFAULT_PAGES) },
        browser: { type: 'boolean', default: false },
      },
    });
    const { library, questions, json, browser } = values;
    if (library === undefined || questions === undefined) throw new Error('--library and --questions are needed');
    const limit = positive('limit', values.limit);
    const pages = positive('pages', values.pages);
    return { library: resolve(library), questions: resolve(questions), json, limit, pages, browser };
  } catch (cause) {
    return fail('request.invalid', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1`);
  return value;
}

/** Every page once: for the search results, and to know which answers stand anywhere at all. */
async function readShelf({ library, store }: BenchLibrary, source: PageSource): Promise<Shelf> {
  const shelf = new Map<string, { text: string; units: readonly Unit[] }>();
  for (const { rootId } of await library.roots()) {
    for (const { path, skipped } of await store.files(rootId)) {
      if (skipped !== null) continue;
      const url = addressOf(rootId, path);
      const page: ReadPage = await source.read(url);
      shelf.set(url, { text: comparable(page.text), units: unitsOf(page, url) });
    }
  }
  return shelf;
}

async function measure(
  questions: readonly BenchQuestion[],
  shelf: Shelf,
  search: SearchPort,
  pages: number,
): Promise<{ questions: number; outcomes: readonly Outcome[] }> {
  const outcomes: Outcome[] = [];
  for (const { id, question, answer } of questions) {
    const isGold = goldMatcher(answer);
    if (![...shelf.values()].some(({ text }) => isGold(text))) continue;
    const startedMs = performance.now();
    const ranked = await answerUnits({ id, question }, shelf, search, pages);
    const durationMs = performance.now() - startedMs;
    const at = ranked.findIndex(({ unit }) => isGold(comparable(`${unit.row?.header.join(' ') ?? ''} ${unit.text}`)));
    outcomes.push({ place: at < 0 ? null : at + 1, durationMs });
  }
  return { questions: questions.length, outcomes };
}

async function answerUnits(
  { id, question }: { readonly id: string; readonly question: string },
  shelf: Shelf,
  search: SearchPort,
  pages: number,
): Promise<readonly RankedUnit[]> {
  try {
    const call = {
      project: 'bench',
      callId: id,
      reason: 'uncertain' as const,
      signal: new AbortController().signal,
    };
    const { sources } = await search.search({ brief: question.slice(0, 1000) }, call);
    const best = sources.slice(0, pages);
    const units = best.flatMap(({ url }) => shelf.get(url)?.units ?? []);
    return rankUnits(question, units, { sources: best.map(({ url }) => url) });
  } catch (error) {
    if (error instanceof PlatformError && error.failure.code === 'search.response_invalid') return [];
    throw error;
  }
}

function report(result: { questions: number; outcomes: readonly Outcome[] }, { json }: Options): void {
  const { questions, outcomes } = result;
  const answerable = outcomes.length;
  const share = (depth: number): number =>
    rounded(outcomes.filter(({ place }) => place !== null && place <= depth).length / Math.max(answerable, 1), 4);
  const seconds = outcomes.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  const figures = {
    questions,
    answerable,
    recall_at_1: share(1),
    recall_at_3: share(3),
    recall_at_10: share(10),
    seconds_per_question: rounded(seconds / Math.max(answerable, 1), 4),
  };
  if (json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(22)}${value}\n`);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
