import { fail } from '#contracts/errors.ts';
import type { LibraryPort } from '#contracts/ports/library.ts';
import type { Corpus, LibraryStore, PageSummary, Posting } from '#contracts/ports/library-store.ts';
import type { SearchRequest, SearchSource } from '#contracts/research/search.ts';
import { detectLanguage } from '#contracts/text/language.ts';
import { queryTerms } from '#contracts/text/segment.ts';
import { addressOf, LIBRARY_HOST } from './library-address.ts';
import type { ProviderAnswer, ProviderCall, SearchProvider } from '../search-provider.ts';
import { bestPassage, languageFactor, rarityOf, scorePages } from './page-ranking.ts';

export type LibraryProviderOptions = {
  /** Which indexing a first search waits for; `null`: another process indexes. */
  readonly library: Pick<LibraryPort, 'progress' | 'ready'> | null;
  readonly store: LibraryStore;
};

const MAX_SOURCES = 10;
/** Pages whose passages are looked at. */
const MAX_CANDIDATES = 24;
const PASSAGE_WEIGHT = 1;
/** Pages far weaker than the best one are no results. */
const TAIL = 0.2;
/** A query of this many terms is a pasted text; the rarest ones tell what it is about. */
const MAX_TERMS = 48;

/** Search over the built-in library. Needs no key and no network. */
export function createLibraryProvider(options: LibraryProviderOptions): SearchProvider {
  return { provider: 'library', search: (request, call) => searchLibrary(request, call, options) };
}

async function searchLibrary(
  request: SearchRequest,
  call: ProviderCall,
  { library, store }: LibraryProviderOptions,
): Promise<ProviderAnswer> {
  const domains = request.allowed_domains;
  if (domains !== undefined && domains.length > 0 && !domains.includes(LIBRARY_HOST)) {
    return fail('search.response_invalid', 'The built-in library holds no pages of the allowed domains.');
  }
  const corpus = await filledCorpus(library, store, call.signal);
  const query = queryTerms(request.brief).slice(0, MAX_TERMS);
  call.news.query(request.brief);
  const postings = await store.postings(query);
  call.signal.throwIfAborted();
  const sources = await bestSources(request.brief, { query, postings, corpus }, store);
  if (sources.length === 0) return fail('search.response_invalid', 'No page of the library holds these words.');
  return {
    query: request.brief,
    report: reportOf(sources),
    queries: [request.brief],
    sources,
    images: [],
    completedCalls: 1,
  };
}

/** A first search may come before the first page is indexed; then it waits. */
async function filledCorpus(
  library: LibraryProviderOptions['library'],
  store: LibraryStore,
  signal: AbortSignal,
): Promise<Corpus> {
  const progress = (await library?.progress()) ?? [];
  const isFirstRun = progress.some(
    ({ state, pages, changed }) => state === 'waiting' || (state === 'indexing' && pages === changed),
  );
  if (library !== null && isFirstRun) await abortable(library.ready(), signal);
  const corpus = await store.corpus();
  if (corpus.pages > 0) return corpus;
  return fail('search.unavailable', 'The library holds no page that could be searched.');
}

async function abortable(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop, { once: true });
  });
  await Promise.race([work, aborted]);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}

type Found = { readonly query: readonly string[]; readonly postings: readonly Posting[]; readonly corpus: Corpus };
type Candidate = { readonly page: PageSummary; readonly score: number; readonly snippet: string };

async function bestSources(brief: string, found: Found, store: LibraryStore): Promise<SearchSource[]> {
  const { query, postings, corpus } = found;
  const pages = await store.summaries([...new Set(postings.map((posting) => posting.pageId))]);
  const byId = new Map(pages.map((page) => [page.pageId, page]));
  const asked = detectLanguage(brief);
  const scored = scorePages(query, postings, byId, corpus)
    .map(({ pageId, score }) => ({ pageId, score: score * languageFactor(asked, byId.get(pageId)?.language ?? 'und') }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_CANDIDATES);
  const passages = await store.passages(scored.map(({ pageId }) => pageId));
  const rarity = rarityOf(postings, corpus);
  const candidates: Candidate[] = [];
  for (const { pageId, score } of scored) {
    const page = byId.get(pageId);
    if (page === undefined) continue;
    const best = bestPassage(query, passages.get(pageId) ?? [], rarity);
    const factor = languageFactor(asked, page.language);
    candidates.push({
      page,
      score: score + PASSAGE_WEIGHT * factor * (best?.score ?? 0),
      snippet: best?.passage.text ?? '',
    });
  }
  candidates.sort((a, b) => b.score - a.score || (addressOfPage(a.page) < addressOfPage(b.page) ? -1 : 1));
  const least = (candidates[0]?.score ?? 0) * TAIL;
  return candidates
    .filter(({ score }) => score >= least)
    .slice(0, MAX_SOURCES)
    .map(sourceOf)
    .filter((source) => source.url.length <= 2000);
}

function addressOfPage(page: PageSummary): string {
  return addressOf(page.rootId, page.path);
}

function sourceOf({ page, snippet }: Candidate): SearchSource {
  const url = addressOfPage(page);
  return { url, title: page.title.slice(0, 500), ...(snippet === '' ? {} : { snippet: snippet.slice(0, 1000) }) };
}

function reportOf(sources: readonly SearchSource[]): string {
  return sources
    .map(({ title, url, snippet }, i) => `${i + 1}. ${title}\n${url}${snippet === undefined ? '' : `\n${snippet}`}`)
    .join('\n\n')
    .slice(0, 30_000);
}
