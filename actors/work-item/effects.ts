import { PlatformError, type Failure } from '#contracts/errors.ts';
import type { ResearchReads } from '#contracts/ports/reads.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { SearchResponse } from '#contracts/research/search.ts';
import { defineEffect, type EffectContext } from '#runtime/core/authoring.ts';
import { compareSources } from './compare-sources.ts';
import type { CompareInput, Comparison, Lookup, SearchInput, SearchOutput } from './contract.ts';
import { lookupsOf, type PlannedLookup } from './lookups.ts';

export type WorkItemPorts = { readonly search: SearchPort; readonly research: Pick<ResearchReads, 'sourceRevision'> };

export const workItemEffects = {
  search: defineEffect<SearchInput, SearchOutput, WorkItemPorts>({
    class: 'idempotent',
    // A hosted search ends itself after five minutes; this only catches one that does not.
    timeoutMs: 330_000,
    run: async (input, fx) => {
      const { briefs, allowed_domains, asked } = input;
      const { fresh, repeated } = lookupsOf(briefs, { allowed_domains, asked });
      const lookups = await Promise.all(fresh.map((planned) => lookUp(planned, input, fx)));
      // A search that brought nothing is waited out by the item itself, in the open; what one brief brought is kept.
      return { lookups: [...lookups, ...repeated.map((planned) => repeatedLookup(planned, fx))] };
    },
  }),

  compareSources: defineEffect<CompareInput, Comparison, WorkItemPorts>({
    class: 'idempotent',
    timeoutMs: 60_000,
    run: async ({ accepted, source_revision_ids }, { ports, project }) => {
      const read = await Promise.all(source_revision_ids.map((id) => ports.research.sourceRevision(project, id)));
      return compareSources(
        accepted,
        read.filter((source) => source !== null),
      );
    },
  }),
};

type Effect = EffectContext<WorkItemPorts>;

type Order = Pick<SearchInput, 'task_id' | 'allowed_domains'>;

async function lookUp(planned: PlannedLookup, { task_id, allowed_domains }: Order, fx: Effect): Promise<Lookup> {
  const { search } = fx.ports;
  const started_ms = fx.nowMs();
  const queries: string[] = [];
  const ended = (response: SearchResponse | null, failure: Failure | null): Lookup => ({
    ...planned,
    same_as: null,
    provider: search.provider,
    queries,
    response,
    failure,
    started_ms,
    ended_ms: fx.nowMs(),
  });
  const call = {
    project: fx.project,
    ...(task_id === undefined ? {} : { taskId: task_id }),
    // Each attempt may be charged, so each is a fact of its own.
    callId: `${fx.effectId}:${planned.number}:${fx.attempt}`,
    reason: planned.reason,
    signal: fx.signal,
    onEvent: (event: { readonly type: string; readonly query?: string }) => {
      if (event.type === 'query' && event.query !== undefined) queries.push(event.query);
    },
  };
  try {
    return ended(await search.search({ brief: planned.brief, allowed_domains: [...allowed_domains] }, call), null);
  } catch (thrown) {
    if (!(thrown instanceof PlatformError) || thrown.failure.code === 'search.aborted') throw thrown;
    return ended(null, thrown.failure);
  }
}

function repeatedLookup(planned: PlannedLookup & { readonly same_as: string }, fx: Effect): Lookup {
  const now = fx.nowMs();
  const nothing = { queries: [], response: null, failure: null };
  return { ...planned, ...nothing, provider: fx.ports.search.provider, started_ms: now, ended_ms: now };
}
