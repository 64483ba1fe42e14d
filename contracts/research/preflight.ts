import * as z from 'zod';
import { DecimalString, Timestamp } from '../ids.ts';
import { OutputFormat, TaskMode } from './task-spec.ts';

/** `static_only` looks at what is written and configured; only `authorized_probe` touches the world (TS-05). */
export const PreflightLevel = z.enum(['static_only', 'authorized_probe']);
export type PreflightLevel = z.infer<typeof PreflightLevel>;

/** An error forbids the start, a warning asks for a look, a note only tells. */
export const FindingSeverity = z.enum(['error', 'warning', 'note']);

export const FindingCode = z.enum([
  'type.invalid',
  'type.unknown_field',
  'type.origin_missing',
  'range.exceeded',
  'range.above_project_limit',
  'range.fewer_pages_than_questions',
  'range.as_of_in_future',
  'range.item_excluded',
  'authorisation.policy_unknown',
  'authorisation.address_refused',
  'authorisation.address_outside_domains',
  'authorisation.side_effect',
  'ability.search_missing',
  'ability.browser_missing',
  'ability.search_unreachable',
  'ability.browser_unreachable',
  'ability.model_unreachable',
  'budget.other_currency',
  'budget.none',
  'budget.below_cost',
  'budget.price_unknown',
  'output.mode_not_delivered',
  'output.format_not_supported',
  'output.fields_missing',
  'output.key_unknown',
  'output.field_twice',
]);
export type FindingCode = z.infer<typeof FindingCode>;

export const PreflightFinding = z.object({
  severity: FindingSeverity,
  code: FindingCode,
  pointer: z.string(),
  /** For people, in the language of the task. */
  words: z.string(),
});
export type PreflightFinding = z.infer<typeof PreflightFinding>;

export const Preflight = z.object({
  preflight_id: z.string(),
  level: PreflightLevel,
  plan_version: z.int().positive(),
  findings: z.array(PreflightFinding),
  checked_time: Timestamp,
});
export type Preflight = z.infer<typeof Preflight>;

export const passes = ({ findings }: Pick<Preflight, 'findings'>): boolean =>
  findings.every(({ severity }) => severity !== 'error');

/** What this installation can do, as configured. Whether it works at the moment is another question. */
export const PlanAbilities = z.object({
  /** Modes whose result can be delivered. */
  modes: z.array(TaskMode),
  formats: z.array(OutputFormat),
  policies: z.array(z.string()),
  search: z.boolean(),
  browser: z.boolean(),
  limits: z.object({ max_pages: z.int(), max_waves: z.int(), max_duration_ms: z.int(), max_parallel: z.int() }),
  cost: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('free') }),
    z.object({ kind: z.literal('priced'), currency: z.string(), at_least_minor: DecimalString }),
    z.object({ kind: z.literal('unknown') }),
  ]),
});
export type PlanAbilities = z.infer<typeof PlanAbilities>;

/** No model, no paid search: what every installation has. */
export const FREE_ABILITIES: PlanAbilities = {
  modes: ['quick_search', 'research'],
  formats: ['markdown', 'html', 'json'],
  policies: ['read-only/1'],
  search: true,
  browser: true,
  limits: { max_pages: 200, max_waves: 10, max_duration_ms: 86_400_000, max_parallel: 16 },
  cost: { kind: 'free' },
};
