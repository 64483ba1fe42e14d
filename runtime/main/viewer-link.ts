import type { Bus } from '#contracts/ports/bus.ts';
import type { ViewerLink } from '#contracts/ports/viewer.ts';
import { WANT_SUBJECT } from './viewer-feed.ts';

export type CountingViewerLink = ViewerLink & { readonly staleFrames: number };

/** How those who look on reach the process that has the browser: by a hint, and no other way. */
export function createViewerLink(bus: Bus): CountingViewerLink {
  let staleFrames = 0;
  return {
    want: (sessionId) => bus.publish(`${WANT_SUBJECT}.${sessionId}`, ''),
    countStale: () => void (staleFrames += 1),
    get staleFrames() {
      return staleFrames;
    },
  };
}
