import { keepState, type StoredState, type Upgrade } from '#runtime/core/define-actor.ts';
import type { Json } from '#contracts/json.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';

/** Version 1 knew one engine and proposed in one effect, which is made again: it reads and answers the same. */
export const upgradeRoleRun: Upgrade = (stored: StoredState) => {
  if (stored.machineVersion !== 1) return keepState(stored);
  const context = stored.context as { readonly [key: string]: Json };
  return {
    value: stored.value === 'proposing' ? 'preparing' : stored.value,
    historyValue: stored.historyValue,
    context: {
      ...context,
      engine: EXTRACTIVE,
      calls: 0,
      pack: null,
      answer: null,
      problem: null,
      costs: [],
      notes: [],
    },
  };
};
