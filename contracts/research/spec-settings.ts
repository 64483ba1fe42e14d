import * as z from 'zod';
import { DecimalString } from '../ids.ts';
import { OutputFormat } from './task-spec.ts';

/** What a project has settled for all its tasks; a value that comes from here has the origin `project_setting`. */
export const SpecSettings = z.object({
  currency: z.string().regex(/^[A-Z]{3}$/),
  cap_minor: DecimalString,
  unknown_price_policy: z.enum(['block', 'approved_upper_bound']),
  policy_refs: z.array(z.string()).max(20),
  formats: z.array(OutputFormat).min(1),
});
export type SpecSettings = z.infer<typeof SpecSettings>;

/** Without a paid part nothing may be spent. */
export const DEFAULT_SPEC_SETTINGS: SpecSettings = {
  currency: 'USD',
  cap_minor: '0',
  unknown_price_policy: 'block',
  policy_refs: ['read-only/1'],
  formats: ['markdown', 'html', 'json'],
};
