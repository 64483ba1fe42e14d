import * as z from 'zod';
import type { SearchResponse, SearchSource } from './search.ts';
import { comparableAddress, siteOf } from './web-page-address.ts';

/** Why a page was not handed on for reading. A candidate that is kept is only worth a reading; it is no evidence. */
export const CandidateRejection = z.enum(['same_page', 'over_limit']);

/** SE-09: each candidate with what found it, who runs its site, and why it is kept or not. */
export const CandidateEntry = z.object({
  url: z.string(),
  title: z.string(),
  /** Briefs that brought it, the first one first. */
  found_by: z.array(z.string()),
  site: z.string(),
  rejected: z.object({ reason: CandidateRejection, same_as: z.string().nullable() }).nullable(),
});
export type CandidateEntry = z.infer<typeof CandidateEntry>;

export type KeptCandidate = SearchSource;

export type Found = { readonly brief: string; readonly response: SearchResponse };

/** What several searches found together: kept in order of rank, the rest with its reason. */
export function screenCandidates(
  found: readonly Found[],
  limit: number,
): { readonly kept: KeptCandidate[]; readonly log: CandidateEntry[] } {
  const log = new Map<string, CandidateEntry>();
  const kept: KeptCandidate[] = [];
  const pages = new Map<string, string>();
  for (const { brief, response } of found) {
    for (const source of response.sources) {
      const earlier = log.get(source.url);
      if (earlier !== undefined) {
        if (!earlier.found_by.includes(brief)) earlier.found_by.push(brief);
        continue;
      }
      const page = comparableAddress(source.url);
      const same_as = pages.get(page) ?? null;
      const reason = same_as !== null ? 'same_page' : kept.length >= limit ? 'over_limit' : null;
      if (reason === null) {
        kept.push(source);
        pages.set(page, source.url);
      }
      log.set(source.url, {
        url: source.url,
        title: source.title,
        found_by: [brief],
        site: siteOf(source.url),
        rejected: reason === null ? null : { reason, same_as },
      });
    }
  }
  return { kept, log: [...log.values()] };
}
