import type { Release } from '#runtime/core/define-actor.ts';

/** Never changed, only added to: CONTRIBUTING.md, "Another version of a machine". */
export const released: readonly Release[] = [{ version: 1, defHash: 'b74ba62a822297b1', xstate: '5.33.3' }];
