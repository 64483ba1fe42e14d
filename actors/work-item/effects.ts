import { PlatformError, type Failure } from '#contracts/errors.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { SearchResponse } from '#contracts/research/search.ts';
import { defineEffect, type EffectContext } from '#runtime/core/authoring.ts';
import type { Lookup, SearchInput, SearchOutput } from './contract.ts';
import { lookupsOf, type PlannedLookup } from './lookups.ts';

export type WorkItemPorts = { readonly search: SearchPort };

const ATTEMPTS = 3;

export const workItemEffects = {
  search: defineEffect<SearchInput, SearchOutput, WorkItemPorts>({
    class: 'idempotent',
    // A hosted search ends itself after five minutes; this only catches one that does not.
    timeoutMs: 330_000,
    attempts: ATTEMPTS,
    run: async ({ briefs, allowed_domains }, fx) => {
      const { fresh, repeated } = lookupsOf(briefs, allowed_domains);
      const lookups = await Promise.all(fresh.map((planned) => lookUp(planned, allowed_domains, fx)));
      const again = lookups.find(({ failure }) => failure !== null && failure.retry.kind !== 'never')?.failure;
      // What one brief brought is kept: it is paid for, and asking again would pay it again.
      const isEmpty = lookups.every(({ response }) => response === null);
      if (isEmpty && again && fx.attempt < ATTEMPTS) throw new PlatformError(again);
      return { lookups: [...lookups, ...repeated.map((planned) => repeatedLookup(planned, fx))] };
    },
  }),
};

type Effect = EffectContext<WorkItemPorts>;

async function lookUp(planned: PlannedLookup, domains: readonly string[], fx: Effect): Promise<Lookup> {
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
    // Each attempt may be charged, so each is a fact of its own.
    callId: `${fx.effectId}:${planned.number}:${fx.attempt}`,
    reason: planned.reason,
    signal: fx.signal,
    onEvent: (event: { readonly type: string; readonly query?: string }) => {
      if (event.type === 'query' && event.query !== undefined) queries.push(event.query);
    },
  };
  try {
    return ended(await search.search({ brief: planned.brief, allowed_domains: [...domains] }, call), null);
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
