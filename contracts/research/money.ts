import * as z from 'zod';

/**
 * An amount in the currency's smallest unit, exact. A model call costs fractions of a cent, so there may be a fraction;
 * it is text, because a binary fraction would be another amount.
 */
export const MinorAmount = z.string().regex(/^(?:0|[1-9]\d{0,18})(?:\.\d{1,24})?$/);
export type MinorAmount = z.infer<typeof MinorAmount>;

export const Currency = z.string().regex(/^[A-Z]{3}$/);
