import type { Upgrade } from '#runtime/core/define-actor.ts';

/** From the first release: nothing was waited for or compared. */
export const upgrade: Upgrade = (stored) => {
  if (typeof stored.context !== 'object' || stored.context === null) return null;
  return { ...stored, context: { ...stored.context, retries: 0, wait: null, verified: null } };
};
