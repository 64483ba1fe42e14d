import * as z from 'zod';
import type { ModelProfile } from './model-profile.ts';

export const EngineKind = z.enum(['extractive', 'model']);
export type EngineKind = z.infer<typeof EngineKind>;

/**
 * What makes the proposals of a task. It is chosen once, when the plan is frozen, and every role run of the task uses just that:
 * a profile that is not configured any more is a failure, never a reason to take another engine.
 */
export const Engine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('extractive') }),
  z.strictObject({
    kind: z.literal('model'),
    profile: z.string().min(1).max(64),
    profile_version: z.string().min(1).max(40),
    /** Of all prompts together; another text of one of them is another version. */
    prompts_version: z.string().min(1).max(64),
    /** Null: nobody knows what a call costs. */
    price_version: z.string().max(100).nullable(),
  }),
]);
export type Engine = z.infer<typeof Engine>;

export const EXTRACTIVE: Engine = { kind: 'extractive' };

/** The model behind a result, as results name it; null when no model had a part in it. */
export const EngineProfile = z.strictObject({ name: z.string(), version: z.string() });
export type EngineProfile = z.infer<typeof EngineProfile>;

export function profileOf(engine: Engine): EngineProfile | null {
  return engine.kind === 'extractive' ? null : { name: engine.profile, version: engine.profile_version };
}

/** The engine that a profile makes together with the prompts of this installation. */
export function engineOf({ name, version, prices }: ModelProfile, promptsVersion: string): Engine {
  return {
    kind: 'model',
    profile: name,
    profile_version: version,
    prompts_version: promptsVersion,
    price_version: prices?.version ?? null,
  };
}

/** What keeps a pinned engine from being used, in words; null when the one at hand is the same in all its versions. */
export function engineDifference(pinned: Engine, present: Engine): string | null {
  if (pinned.kind !== 'model' || present.kind !== 'model')
    return pinned.kind === present.kind ? null : `${pinned.kind}, not ${present.kind}`;
  const names = ['profile', 'profile_version', 'prompts_version', 'price_version'] as const;
  const differing = names.filter((name) => pinned[name] !== present[name]);
  if (differing.length === 0) return null;
  return differing.map((name) => `${name} ${pinned[name] ?? 'unknown'}, not ${present[name] ?? 'unknown'}`).join('; ');
}
