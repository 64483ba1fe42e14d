import { foldText } from '../text/segment.ts';
import { comparableAddress, siteOf } from './web-page-address.ts';

/** What is known about who produced a source. Absent is unknown, never "somebody else". */
export type SourceTrace = {
  readonly source_id: string;
  readonly url: string;
  readonly publisher?: string | null;
  readonly author?: string | null;
  /** The address a page names as its own original. */
  readonly canonical_url?: string | null;
  /** The page a reprint says it was taken from. */
  readonly reprinted_from?: string | null;
  /** Of the text. */
  readonly content_hash?: string | null;
};

export type SourceFamily = { readonly members: readonly string[]; readonly shared: readonly string[] };

/**
 * Sources that one hand produced: the same site or account, publisher, author, original page or text. Three reprints are one voice,
 * and two domains of one house are one voice, so independence counts families and not domains. In order of first appearance.
 */
export function familiesOf(sources: readonly SourceTrace[]): SourceFamily[] {
  const group = sources.map((_, index) => index);
  const first = new Map<string, number>();
  const shared = sources.map(() => new Set<string>());
  sources.forEach((source, index) => {
    for (const mark of marksOf(source)) {
      const earlier = first.get(mark);
      if (earlier === undefined) first.set(mark, index);
      else {
        join(group, earlier, index);
        shared[index]?.add(mark);
      }
    }
  });
  const families = new Map<number, { members: string[]; shared: Set<string> }>();
  sources.forEach((source, index) => {
    const root = rootOf(group, index);
    const family = families.get(root) ?? { members: [], shared: new Set<string>() };
    families.set(root, family);
    family.members.push(source.source_id);
    for (const mark of shared[index] ?? []) family.shared.add(mark);
  });
  return [...families.values()].map(({ members, shared: marks }) => ({ members, shared: [...marks].sort() }));
}

export const independentVoices = (sources: readonly SourceTrace[]): number => familiesOf(sources).length;

function marksOf(source: SourceTrace): string[] {
  const marks = [`site ${siteOf(source.url)}`, `page ${comparableAddress(source.url)}`];
  for (const original of [source.canonical_url, source.reprinted_from]) {
    if (original === null || original === undefined || original === '') continue;
    marks.push(`site ${siteOf(original)}`, `page ${comparableAddress(original)}`);
  }
  const named = (kind: string, value: string | null | undefined): void => {
    const name = foldText(value ?? '')
      .replace(/[\s.,·]+/gu, ' ')
      .trim();
    if (name !== '') marks.push(`${kind} ${name}`);
  };
  named('publisher', source.publisher);
  named('author', source.author);
  if (source.content_hash !== null && source.content_hash !== undefined) marks.push(`text ${source.content_hash}`);
  return [...new Set(marks)];
}

function rootOf(group: readonly number[], index: number): number {
  const parent = group[index] ?? index;
  return parent === index ? index : rootOf(group, parent);
}

function join(group: number[], a: number, b: number): void {
  const [low, high] = [rootOf(group, a), rootOf(group, b)].sort((x, y) => x - y) as [number, number];
  group[high] = low;
}
