import type { Release } from '#runtime/core/define-actor.ts';

/** Never changed, only added to: CONTRIBUTING.md, "Another version of a machine". */
export const released: readonly Release[] = [
  { version: 1, defHash: '676a1336f4c54761', xstate: '5.33.3' },
  { version: 2, defHash: '323b0905845b69b9', xstate: '5.33.3' },
];
