// CallRecord
//
// Owns:     what one search told while it ran: its events, its queries, its amounts.
// Owns not: the answer, the deadline.
//
//   CR1  `started` comes first, `ended` once and last; a query is heard once.
//   CR2  Usage is told once, whatever comes later; nobody's fault in hearing it reaches the search.
import type { Clock } from '#contracts/ports/clock.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { SearchCall } from '#contracts/ports/search.ts';
import type { SearchEvent, SearchSource, SearchUsage } from '#contracts/research/search.ts';
import type { Amounts, Cost, ProviderNews, SearchProvider } from './search-provider.ts';

const MAX_QUERIES = 32;
const MAX_QUERY_CHARS = 1000;

export type CallRecordOptions = {
  readonly provider: SearchProvider;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onUsage?: ((usage: SearchUsage) => void) | undefined;
};

export class CallRecord {
  readonly news: ProviderNews;
  readonly #options: CallRecordOptions;
  readonly #call: SearchCall;
  readonly #startedMs: number;
  readonly #queries = new Set<string>();
  /** Something was sent of which the vendor has not told what it cost. */
  #isOpen = false;
  #used: { readonly amounts: Amounts; readonly cost: Cost | null } | null = null;
  #told = false;
  #ended = false;

  constructor(options: CallRecordOptions, call: SearchCall) {
    this.#options = options;
    this.#call = call;
    this.#startedMs = options.clock.nowMs();
    this.news = {
      sent: () => (this.#isOpen = true),
      turnedAway: () => (this.#isOpen = false),
      query: (text) => this.#hearQuery(text),
      used: (amounts, cost) => {
        this.#isOpen = false;
        this.#used = { amounts, cost };
      },
    };
    const { provider } = options.provider;
    this.#emit({ type: 'started', call_id: call.callId, provider, at_ms: this.#startedMs });
  }

  #hearQuery(text: string): void {
    const query = text.trim().slice(0, MAX_QUERY_CHARS);
    if (query === '' || this.#ended || this.#queries.has(query) || this.#queries.size >= MAX_QUERIES) return;
    this.#queries.add(query);
    this.#emit({ type: 'query', call_id: this.#call.callId, query });
  }

  tellUsage(outcome: SearchUsage['outcome']): void {
    if (this.#told) return;
    this.#told = true;
    const { provider, clock, onUsage } = this.#options;
    const { project, callId, taskId } = this.#call;
    const usage: SearchUsage = {
      project,
      ...(taskId === undefined ? {} : { task_id: taskId }),
      call_id: callId,
      provider: provider.provider,
      model: provider.model ?? null,
      outcome,
      duration_ms: Math.max(0, clock.nowMs() - this.#startedMs),
      ...this.#billed(),
    };
    // Each by itself: the fault of one account is not the silence of the other.
    for (const hear of [onUsage, this.#call.onUsage]) this.#tell(hear, usage);
  }

  #tell(hear: ((usage: SearchUsage) => void) | undefined, usage: SearchUsage): void {
    try {
      hear?.(usage);
    } catch (thrown) {
      const { project, call_id: callId } = usage;
      this.#options.logger.error('the usage of a search could not be recorded', {
        project,
        callId,
        error: String(thrown),
      });
    }
  }

  /** Sent and never settled is unknown, which is not nothing: the money may be gone. */
  #billed(): Pick<SearchUsage, 'billing' | 'amounts' | 'cost'> {
    const { amounts = null, cost = null } = this.#used ?? {};
    if (this.#isOpen) return { billing: 'unknown', amounts, cost };
    const isNothing = amounts === null || Object.values(amounts).every((amount) => amount === 0);
    return { billing: isNothing ? 'none' : 'metered', amounts, cost };
  }

  end(outcome: 'answered' | 'failed', code: string | null, sources: readonly SearchSource[]): void {
    if (this.#ended) return;
    this.#ended = true;
    const at_ms = this.#options.clock.nowMs();
    this.#emit({ type: 'ended', call_id: this.#call.callId, outcome, code, sources: [...sources], at_ms });
  }

  #emit(event: SearchEvent): void {
    try {
      this.#call.onEvent?.(event);
    } catch (thrown) {
      const { callId } = this.#call;
      this.#options.logger.warn('a listener of a search failed', { callId, type: event.type, error: String(thrown) });
    }
  }
}
