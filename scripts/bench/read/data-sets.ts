import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fail } from '#contracts/errors.ts';

/** A page that was saved as others serve it, always UTF-8, and where it came from. */
export type SavedPage = { readonly id: string; readonly url: string; readonly html: () => string };

export type ArticleCase = SavedPage & { readonly body: string };
export type ProductCase = SavedPage & { readonly accepted: ReadonlyMap<string, readonly string[]> };
export type TableCase = SavedPage & { readonly gold: readonly (readonly string[])[] };
export type RenderedCase = SavedPage & { readonly expected: string };

type Truth = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function rootOf(folder: string, set: string): string {
  const root = join(folder, set);
  if (!existsSync(root)) fail('request.invalid', `${folder} has no folder "${set}".`);
  return root;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function packedPages(root: string): { page: SavedPage; truth: Readonly<Record<string, unknown>> }[] {
  return Object.entries(readJson(join(root, 'ground-truth.json')) as Truth).map(([id, truth]) => ({
    truth,
    page: {
      id,
      url: textOf(truth['url']),
      html: () => gunzipSync(readFileSync(join(root, 'html', `${id}.html.gz`))).toString('utf8'),
    },
  }));
}

export function articleCases(folder: string): ArticleCase[] {
  return packedPages(rootOf(folder, 'articles')).map(({ page, truth }) => ({
    ...page,
    body: textOf(truth['articleBody']),
  }));
}

export function productCases(folder: string): ProductCase[] {
  return packedPages(rootOf(folder, 'products')).map(({ page, truth }) => ({
    ...page,
    accepted: new Map(
      Object.entries(truth).flatMap(([name, values]) =>
        Array.isArray(values) ? [[name, values.map(String)] as const] : [],
      ),
    ),
  }));
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', p: '|', '\\': '\\' };

function parseTsv(source: string): string[][] {
  const cell = (text: string): string => text.replace(/\\([np\\])/gu, (_, mark: string) => ESCAPED[mark] ?? mark);
  return source
    .replace(/\r?\n$/u, '')
    .split('\n')
    .map((line) => line.split('\t').map(cell));
}

type TableEntry = { readonly page: string; readonly gold: string; readonly url: string };

export function tableCases(folder: string): TableCase[] {
  const root = rootOf(folder, 'tables');
  return (readJson(join(root, 'questions.json')) as TableEntry[]).map(({ page, gold, url }) => ({
    id: page,
    url,
    html: () => readFileSync(join(root, 'pages', page), 'utf8'),
    gold: parseTsv(readFileSync(join(root, 'gold', gold), 'utf8')),
  }));
}

export function renderedCases(folder: string): RenderedCase[] {
  const root = rootOf(folder, 'readability');
  return readdirSync(root)
    .sort()
    .map((id) => ({
      id,
      url: `http://fakehost/test/${id}.html`,
      html: () => readFileSync(join(root, id, 'source.html'), 'utf8'),
      expected: readFileSync(join(root, id, 'expected.html'), 'utf8'),
    }));
}
