import * as z from 'zod';
import { Failure } from './errors.ts';

/**
 * How an effect may be repeated.
 * `idempotent`: retried with the same key, also after a crash.
 * `once`: marked dispatched (committed) before it is sent; after a crash it is reported `effect.unknown`, never sent again.
 */
export const EffectClass = z.enum(['idempotent', 'once']);
export type EffectClass = z.infer<typeof EffectClass>;

/** What an effect ended with, as delivered to the actor that declared it. */
export const EffectResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), output: z.json() }),
  z.object({ kind: z.literal('failed'), failure: Failure }),
]);
export type EffectResult = z.infer<typeof EffectResult>;

/** The stop switch: work that requires `(scope, generation)` lands only while that generation is current and open. */
export type FenceRequirement = { readonly scope: string; readonly generation: number };
export type FenceState = FenceRequirement & { readonly open: boolean };
