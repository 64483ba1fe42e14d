import { LEDGER_ADDRESS, type LedgerMail } from '#contracts/actors/ledger.ts';
import { CREATE_ONLY } from '#contracts/envelope.ts';
import type { ActorClient } from '#contracts/ports/actor-client.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import { costOfSearch } from '#contracts/research/search-cost.ts';
import type { SearchUsage } from '#contracts/research/search.ts';

export type SearchAccounts = {
  /** Never throws, and nobody waits for it: a fault of the accounts is no fault of the search (WS-08). */
  readonly book: (usage: SearchUsage) => void;
  /** The actors come later than the search does. */
  attach(client: Pick<ActorClient, 'send'>): void;
};

/** What searches used goes to the ledger of their project, beside the search and after its end too. What cost nothing does not. */
export function createSearchAccounts(logger: Logger): SearchAccounts {
  let client: Pick<ActorClient, 'send'> | null = null;
  const book = async (usage: SearchUsage): Promise<void> => {
    const { project, task_id, call_id, provider, model } = usage;
    const cost = costOfSearch(usage);
    if (cost === null || task_id === undefined) return;
    const to = { project, to: LEDGER_ADDRESS, from: 'system' } as const;
    const event: LedgerMail = {
      type: 'ledger.record',
      task_id,
      call_id,
      role: 'search',
      what: model === null ? provider : `${provider}/${model}`,
      cost,
    };
    if (client === null) throw new TypeError('no actor runs in this process');
    // The ledger of a project comes with its first message.
    await client.send({ ...to, messageId: 'system:ledger', event: { type: CREATE_ONLY }, create: { input: {} } });
    await client.send({ ...to, messageId: `search:${call_id}`, event });
  };
  return {
    book: (usage) => {
      book(usage).catch((thrown: unknown) => {
        logger.error('the cost of a search could not be booked', { usage, cause: String(thrown) });
      });
    },
    attach: (actors) => void (client = actors),
  };
}
