import { suffixOf } from '#contracts/ids.ts';
import { WHOLE_WEB, withoutRepeated } from '#contracts/research/query-spec.ts';
import { reasonToSearch } from '#contracts/research/search-reason.ts';
import type { SearchReason } from '#contracts/research/search.ts';

export type PlannedLookup = {
  readonly number: number;
  readonly brief: string;
  readonly identity: string;
  readonly reason: SearchReason;
};

export type LookupScope = {
  readonly allowed_domains: readonly string[];
  /** What other items of the task looked up before. */
  readonly asked?: readonly { readonly identity: string; readonly words: string }[] | undefined;
};

/** SE-09: each query of a task once. The same for whoever asks, so that what is announced is what is looked up. */
export function lookupsOf(
  briefs: readonly string[],
  { allowed_domains, asked }: LookupScope,
): { readonly fresh: PlannedLookup[]; readonly repeated: (PlannedLookup & { readonly same_as: string })[] } {
  const scope = { ...WHOLE_WEB, allowed_domains: [...allowed_domains] };
  const { fresh, suppressed } = withoutRepeated(
    briefs.map((words) => ({ words, scope, origin: 'search_planner' })),
    new Map(asked?.map(({ identity, words }) => [identity, words])),
  );
  const planned = (words: string, identity: string): PlannedLookup => ({
    number: briefs.indexOf(words) + 1,
    brief: words,
    identity,
    reason: reasonToSearch(words),
  });
  return {
    fresh: fresh.map(({ spec, identity }) => planned(spec.words, identity)),
    repeated: suppressed.map(({ spec, identity, same_as }) => ({ ...planned(spec.words, identity), same_as })),
  };
}

export const searchCallId = (workItemId: string, number: number): string => `sch_${suffixOf(workItemId)}-${number}`;
