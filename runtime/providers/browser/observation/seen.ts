import type { Control, PageObservation } from '#contracts/browser/observation.ts';
import type { FrameWorld } from '../page/frame-worlds.ts';
import type { WalkedControl } from './walk-script.ts';

export type SeenControl = { readonly world: FrameWorld; readonly walked: WalkedControl; readonly control: Control };

/** The last observation of a session, and what its handles stand for. */
export type Seen = { readonly observation: PageObservation; readonly handles: ReadonlyMap<string, SeenControl> };
