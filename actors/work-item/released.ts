import type { Release } from '#runtime/core/define-actor.ts';

/** Never changed, only added to: CONTRIBUTING.md, "Another version of a machine". */
export const released: readonly Release[] = [
  { version: 1, defHash: 'ea160d656ec59a30', xstate: '5.33.3' },
  { version: 2, defHash: '421194b38273e7c9', xstate: '5.33.3' },
];
