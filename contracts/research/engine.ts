import * as z from 'zod';

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
