import { PlatformError } from '#contracts/errors.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { SearchResponse } from '#contracts/research/search.ts';
import { defineEffect } from '#runtime/core/authoring.ts';
import type { SearchInput, SearchOutput } from './contract.ts';

export type WorkItemPorts = { readonly search: SearchPort };

export const workItemEffects = {
  search: defineEffect<SearchInput, SearchOutput, WorkItemPorts>({
    class: 'idempotent',
    timeoutMs: 30_000,
    run: async ({ briefs, allowed_domains }, fx) => {
      const startedMs = fx.nowMs();
      const responses: SearchResponse[] = [];
      let nothing: PlatformError | null = null;
      for (const [index, brief] of briefs.entries()) {
        const call = {
          project: fx.project,
          callId: `${fx.effectId}:${index}`,
          reason: 'uncertain' as const,
          signal: fx.signal,
        };
        try {
          responses.push(await fx.ports.search.search({ brief, allowed_domains: [...allowed_domains] }, call));
        } catch (thrown) {
          // One brief without results is no failure while another has some.
          if (!(thrown instanceof PlatformError) || thrown.failure.code !== 'search.response_invalid') throw thrown;
          nothing = thrown;
        }
      }
      if (responses.length === 0 && nothing !== null) throw nothing;
      return { responses, started_ms: startedMs, ended_ms: fx.nowMs() };
    },
  }),
};
