import type { Preflight } from './preflight.ts';
import { originAt } from './spec-origins.ts';
import type { Origins, TaskSpec } from './task-spec.ts';

/** Why a plan waits for a person although everything is clear. Closed, so that a client can say it in its language. */
export type ConfirmationReason =
  'asked_to_see_the_plan' | 'spends_money' | 'long_run' | 'many_pages' | 'delivers_a_data_set' | 'has_findings';

/** What may run without a click: the policy that the project has approved in advance. */
export type StandingApproval = {
  readonly max_pages: number;
  readonly max_duration_ms: number;
  /** The most that may be spent without asking, in the currency of the budget. */
  readonly cap_minor: string;
};

export const STANDING_APPROVAL: StandingApproval = { max_pages: 60, max_duration_ms: 3_600_000, cap_minor: '0' };

/**
 * TS-06: a clear, low-risk request inside approved policy needs no click, so an empty list. Asking for the plan first,
 * money above what was approved, unusual size and open findings do. A budget from the settings of the project is approved.
 */
export function confirmationReasons(
  spec: TaskSpec,
  origins: Origins,
  preflight: Pick<Preflight, 'findings'>,
  standing: StandingApproval = STANDING_APPROVAL,
): ConfirmationReason[] {
  const { execution, budget, mode, requirement_text } = spec;
  const reasons: ConfirmationReason[] = [];
  if (ASKS_FOR_PLAN.test(requirement_text)) reasons.push('asked_to_see_the_plan');
  const isApprovedBudget = originAt(origins, '/budget/cap_minor') === 'project_setting';
  if (!isApprovedBudget && BigInt(budget.cap_minor) > BigInt(standing.cap_minor)) reasons.push('spends_money');
  if (execution.max_duration_ms > standing.max_duration_ms) reasons.push('long_run');
  if (execution.max_pages > standing.max_pages) reasons.push('many_pages');
  if (mode === 'dataset' || mode === 'hybrid') reasons.push('delivers_a_data_set');
  // Other warnings are told with the plan; a wish that a reading task cannot grant is cleared up before it starts.
  const isOpen = preflight.findings.some(
    ({ severity, code }) => severity === 'error' || code === 'authorisation.side_effect',
  );
  if (isOpen) reasons.push('has_findings');
  return reasons;
}

const ASKS_FOR_PLAN =
  /\b(?:show|send|give|tell) me (?:the|a|your) plan\b|\bplan first\b|\bbefore you (?:start|begin)\b.{0,40}\bplan\b|\b(?:don'?t|do not) start (?:yet|until|before)\b|先(?:给我)?(?:看|列|出|做)(?:一下|个|一个|出)?计划|计划(?:先)?给我(?:看|确认)|(?:确认|同意)(?:以?后|了)?再(?:开始|执行|搜)|先别(?:急着)?(?:开始|执行|搜)/iu;
