import type { WorkEnvelope } from '#contracts/actors/work-item.ts';
import type { RoleOutput } from '#contracts/actors/role.ts';
import { failure, type Failure } from '#contracts/errors.ts';
import { screenCandidates, type Found } from '#contracts/research/candidate-log.ts';
import { write, type Request } from '#runtime/core/requests.ts';
import type { Lookup, SearchOutput, WorkItemState } from './contract.ts';
import { envelopeOfFailure } from './envelopes.ts';
import { lookupsOf, searchCallId } from './lookups.ts';
import { report, type Progress } from './rules.ts';

const MAX_CANDIDATES = 32;

const screened = (lookups: readonly Lookup[]) =>
  screenCandidates(
    lookups.flatMap(({ brief, response }): Found[] => (response === null ? [] : [{ brief, response }])),
    MAX_CANDIDATES,
  );

/** One brief without results is no failure while another has some. */
export function envelopeOfSearch(output: SearchOutput): WorkEnvelope {
  const lookups = lookupsIn(output);
  const { kept, log } = screened(lookups);
  if (kept.length === 0) return envelopeOfFailure(mainFailure(lookups));
  const asked = lookups.flatMap(({ identity, brief, response }) =>
    response === null || identity === '' ? [] : [{ identity, words: brief }],
  );
  const queries = lookups.flatMap(({ brief, queries: told }) => [brief, ...told]);
  return {
    outcome: 'succeeded',
    result: {
      kind: 'discover',
      candidates: kept.map(({ url, title, snippet }) => ({ url, title, snippet: snippet ?? '' })),
      queries: [...new Set(queries)].slice(0, 32),
      asked,
      log,
    },
  };
}

/** What the whole search failed of; null when it brought something. */
export function failureOfSearch(output: SearchOutput): Failure | null {
  const lookups = lookupsIn(output);
  return lookups.some(({ response }) => response !== null) ? null : mainFailure(lookups);
}

export const briefsOf = (output: RoleOutput): string[] => (output.role === 'search_planner' ? output.briefs : []);

/** That the search did not work weighs more than that nothing was found. */
function mainFailure(lookups: readonly Lookup[]) {
  const failures = lookups.flatMap((lookup) => lookup.failure ?? []);
  const isAllRepeated = lookups.length > 0 && lookups.every(({ same_as }) => same_as !== null);
  const nothing = failure(
    'search.response_invalid',
    isAllRepeated ? 'Everything was looked up before in this task.' : 'Nothing was found.',
  );
  return failures.find(({ code }) => code !== 'search.response_invalid') ?? failures[0] ?? nothing;
}

/** WS-05: what is looked up is shown at once, and nothing is known yet but that it runs and why. */
export function reportSearchStarted(state: WorkItemState, briefs: readonly string[]): Request[] {
  const { payload, work_item_id } = state;
  if (payload.kind !== 'discover') return [];
  const started = lookupsOf(briefs, payload).fresh.map(({ number, reason }): Progress => ({
    event_type: 'search.started',
    data: { call_id: searchCallId(work_item_id, number), work_item_id, reason },
  }));
  return report(state, started);
}

/** SE-09: a row a brief, also for one that failed or was not looked up, with every candidate's reason. */
export function recordSearch(state: WorkItemState, output: SearchOutput): Request[] {
  const lookups = lookupsIn(output);
  const { log } = screened(lookups);
  const rows = lookups.map((lookup) => {
    const { brief, identity, reason, same_as, response, failure: problem } = lookup;
    const candidates = log.filter(({ found_by }) => found_by[0] === brief);
    return write('search_call', {
      id: searchCallId(state.work_item_id, lookup.number),
      task_id: state.task_id,
      provider: lookup.provider,
      query: lookup.queries[0] ?? '',
      status: statusOf(lookup),
      result: { brief, identity, reason, same_as, problem, queries: lookup.queries, candidates, response },
      started_ms: lookup.started_ms,
      ended_ms: lookup.ended_ms,
    });
  });
  const ended = lookups
    .filter(({ same_as }) => same_as === null)
    .map((lookup): Progress => ({ event_type: 'search.completed', data: endOf(state, lookup) }));
  return [...rows, ...report(state, ended)];
}

function endOf({ work_item_id }: WorkItemState, lookup: Lookup): Progress['data'] {
  const { number, provider, queries, response, failure: problem, started_ms, ended_ms } = lookup;
  return {
    call_id: searchCallId(work_item_id, number),
    work_item_id,
    provider,
    outcome: response === null ? 'failed' : 'answered',
    problem: problem?.code ?? null,
    queries,
    pages: (response?.sources ?? []).map(({ url, title }) => ({ url, title })),
    duration_ms: ended_ms - started_ms,
  };
}

function lookupsIn(output: SearchOutput): readonly Lookup[] {
  if ('lookups' in output) return output.lookups;
  const { responses, started_ms, ended_ms } = output;
  return responses.map((response, index) => ({
    number: index + 1,
    brief: response.query,
    identity: '',
    reason: 'uncertain',
    same_as: null,
    provider: response.provider,
    queries: response.queries,
    response,
    failure: null,
    started_ms,
    ended_ms,
  }));
}

function statusOf({ same_as, response }: Lookup): string {
  if (same_as !== null) return 'suppressed';
  return response === null ? 'failed' : 'completed';
}
