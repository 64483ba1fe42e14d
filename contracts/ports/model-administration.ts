import type { ModelProbeView, ModelsView } from '../http/models.ts';

/** The configured models as people look at them. */
export interface ModelAdministration {
  view(): ModelsView;
  /** A handful of small calls that hold the profile against its endpoint; null when there is no such profile. */
  probe(profile: string, signal: AbortSignal): Promise<ModelProbeView | null>;
}
