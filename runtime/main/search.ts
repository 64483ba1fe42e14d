import type { LibraryPort } from '#contracts/ports/library.ts';
import type { LibraryStore } from '#contracts/ports/library-store.ts';
import type { Logger } from '#contracts/ports/logger.ts';
import type { SearchPort } from '#contracts/ports/search.ts';
import type { SearchUsage } from '#contracts/research/search.ts';
import { createBraveProvider } from '#runtime/providers/search/brave.ts';
import { ANTHROPIC_SEARCH_MODEL, createAnthropicProvider } from '#runtime/providers/search/hosted/anthropic.ts';
import { createOpenAiProvider, OPENAI_SEARCH_MODEL } from '#runtime/providers/search/hosted/openai.ts';
import { createLibraryProvider } from '#runtime/providers/search/library/provider.ts';
import { listPrices, priceInDollars, type PriceList } from '#runtime/providers/search/prices.ts';
import { createSearchEntry } from '#runtime/providers/search/search-entry.ts';
import type { SearchProvider } from '#runtime/providers/search/search-provider.ts';
import { createSearxngProvider } from '#runtime/providers/search/searxng.ts';
import type { SearchConfig } from './config.ts';
import { readSecret } from './secret.ts';
import { systemClock } from './system-time.ts';

export type SearchOptions = {
  readonly config: { readonly search: SearchConfig };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly database: { readonly library: LibraryStore };
  readonly library: Pick<LibraryPort, 'progress' | 'ready'> | null;
  readonly logger: Logger;
  /** Who keeps the accounts. */
  readonly onUsage?: (usage: SearchUsage) => void;
};

/** The configured provider behind the one entry. There is one, and no other steps in when it cannot answer (WS-03). */
export async function openSearch(options: SearchOptions): Promise<SearchPort> {
  const { logger, onUsage } = options;
  return createSearchEntry({
    provider: await openProvider(options),
    clock: systemClock,
    logger,
    onUsage: (usage) => {
      logger.info('a search was made', usage);
      onUsage?.(usage);
    },
  });
}

async function openProvider({
  config,
  environment,
  database,
  library,
  logger,
}: SearchOptions): Promise<SearchProvider> {
  const { provider, searxngUrl, model, price } = config.search;
  const keyOf = async (name: string): Promise<string | null> => {
    const key = await readSecret(name, environment);
    if (key === null) logger.warn('search has no key and will be unavailable', { provider, variable: name });
    return key;
  };
  const clock = systemClock;
  switch (provider) {
    case 'library':
      return createLibraryProvider({ library, store: database.library });
    case 'searxng':
      if (searxngUrl === null) logger.warn('search has no SEARXNG_URL and will be unavailable', { provider });
      return createSearxngProvider({ url: searxngUrl, clock });
    case 'brave':
      return createBraveProvider({ key: await keyOf('BRAVE_API_KEY'), prices: listPrices, clock });
    case 'openai': {
      const chosen = model ?? OPENAI_SEARCH_MODEL;
      const prices = pricesWith(`openai/${chosen}`, price);
      return createOpenAiProvider({ key: await keyOf('OPENAI_API_KEY'), model: chosen, prices, clock });
    }
    case 'anthropic': {
      const chosen = model ?? ANTHROPIC_SEARCH_MODEL;
      const prices = pricesWith(`anthropic/${chosen}`, price);
      return createAnthropicProvider({ key: await keyOf('ANTHROPIC_API_KEY'), model: chosen, prices, clock });
    }
  }
}

function pricesWith(key: string, price: SearchConfig['price']): PriceList {
  return price === null ? listPrices : new Map([...listPrices, [key, priceInDollars('configured', price)]]);
}
