import type { Release } from '#runtime/core/define-actor.ts';

/** Never changed, only added to: CONTRIBUTING.md, "Another version of a machine". */
export const released: readonly Release[] = [
  { version: 1, defHash: '9889221909233818', xstate: '5.33.3' },
  { version: 2, defHash: 'c57e1a63ad774961', xstate: '5.33.3' },
];
