// Static preflight
//
// Owns:     what can be told about a contract from its words and from what is configured.
// Owns not: whether anything answers at the moment: that is a probe, and nothing here claims one (TS-05).
//
//   PF1  A contract of the wrong form has findings of form only; nothing else is concluded from it.
//   PF2  No finding of `static_only` speaks of something reached or tried.

import type { Language } from '../ids.ts';
import type { Json } from '../json.ts';
import { childPointer, pointerOf } from './json-pointer.ts';
import type { FindingCode, PlanAbilities, PreflightFinding } from './preflight.ts';
import { preflightWords } from './preflight-words.ts';
import { findSideEffect } from './side-effects.ts';
import { unstatedOrigins } from './spec-origins.ts';
import { TaskSpec, type Origins } from './task-spec.ts';
import { isPublicWebAddress, siteCovers } from './web-bounds.ts';

export type StaticCheck = {
  readonly spec: Json;
  readonly origins: Origins;
  readonly abilities: PlanAbilities;
  readonly language: Language;
  /** Now, as the step has it. */
  readonly at: string;
};

type Find = { code: FindingCode; severity?: PreflightFinding['severity']; pointer: string; what?: string };
type Rule = (spec: TaskSpec, check: StaticCheck) => readonly Find[];

/** TS-05: type, range, authorisation, tool ability, budget, output support; the worst first. */
export function preflightStatically(check: StaticCheck): PreflightFinding[] {
  const parsed = TaskSpec.safeParse(check.spec);
  const found = parsed.success ? RULES.flatMap((rule) => rule(parsed.data, check)) : formOf(parsed.error.issues);
  const words = preflightWords(check.language);
  return found
    .map(({ code, severity = 'error', pointer, what = '' }) => ({
      severity,
      code,
      pointer,
      words: words[code](what),
    }))
    .toSorted((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity]);
}

const WEIGHT = { error: 0, warning: 1, note: 2 } as const;

type Issue = { readonly code?: string; readonly path: readonly PropertyKey[]; readonly message: string };

function formOf(issues: readonly Issue[]): Find[] {
  return issues.map(({ code, path, message }) => {
    const pointer = pointerOf(path);
    if (code === 'unrecognized_keys') return { code: 'type.unknown_field', pointer, what: message };
    const isRange = code === 'too_big' || code === 'too_small';
    return { code: isRange ? 'range.exceeded' : 'type.invalid', pointer, what: `${pointer} (${message})` };
  });
}

const checkOrigins: Rule = (spec, { origins }) =>
  unstatedOrigins(spec, origins).map((pointer) => ({ code: 'type.origin_missing', pointer, what: pointer }));

const checkLimits: Rule = ({ execution, scope }, { abilities, at }) => {
  const found: Find[] = [];
  for (const [name, limit] of Object.entries(abilities.limits)) {
    if (execution[name as keyof typeof abilities.limits] <= limit) continue;
    found.push({ code: 'range.above_project_limit', pointer: `/execution/${name}`, what: String(limit) });
  }
  const { questions, as_of, items, exclusions } = scope;
  if (execution.max_pages < questions.length) {
    const what = `${execution.max_pages} < ${questions.length}`;
    found.push({
      code: 'range.fewer_pages_than_questions',
      severity: 'warning',
      pointer: '/execution/max_pages',
      what,
    });
  }
  if (as_of !== null && as_of.slice(0, 10) > at.slice(0, 10) && at !== '') {
    found.push({
      code: 'range.as_of_in_future',
      severity: 'warning',
      pointer: '/scope/as_of',
      what: as_of.slice(0, 10),
    });
  }
  const excluded = new Set(exclusions.map((name) => name.toLowerCase()));
  items.forEach((name, index) => {
    if (!excluded.has(name.toLowerCase())) return;
    found.push({ code: 'range.item_excluded', pointer: childPointer('/scope/items', index), what: name });
  });
  return found;
};

const checkAuthorisation: Rule = ({ policy_refs, scope, requirement_text }, { abilities }) => {
  const found: Find[] = [];
  policy_refs.forEach((policy, index) => {
    if (abilities.policies.includes(policy)) return;
    found.push({ code: 'authorisation.policy_unknown', pointer: childPointer('/policy_refs', index), what: policy });
  });
  scope.known_urls.forEach((url, index) => {
    const pointer = childPointer('/scope/known_urls', index);
    if (!isPublicWebAddress(url)) {
      found.push({ code: 'authorisation.address_refused', severity: 'warning', pointer, what: url });
    } else if (scope.allowed_domains.length > 0 && !scope.allowed_domains.some((site) => siteCovers(site, url))) {
      found.push({ code: 'authorisation.address_outside_domains', severity: 'warning', pointer, what: url });
    }
  });
  const wish = findSideEffect(requirement_text);
  if (wish !== null) {
    found.push({
      code: 'authorisation.side_effect',
      severity: 'warning',
      pointer: '/requirement_text',
      what: wish,
    });
  }
  return found;
};

const checkAbilities: Rule = ({ scope }, { abilities }) => {
  const found: Find[] = [];
  if (!abilities.browser) found.push({ code: 'ability.browser_missing', pointer: '' });
  if (!abilities.search && scope.known_urls.length === 0) found.push({ code: 'ability.search_missing', pointer: '' });
  return found;
};

const checkBudget: Rule = ({ budget }, { abilities: { cost } }) => {
  if (cost.kind === 'free') return [];
  if (cost.kind === 'unknown') {
    if (budget.unknown_price_policy === 'approved_upper_bound' && BigInt(budget.cap_minor) > 0n) return [];
    return [{ code: 'budget.price_unknown', pointer: '/budget/unknown_price_policy' }];
  }
  if (budget.currency !== cost.currency) {
    return [
      { code: 'budget.other_currency', pointer: '/budget/currency', what: `${budget.currency}, ${cost.currency}` },
    ];
  }
  const what = `${cost.currency} ${cost.at_least_minor}`;
  if (BigInt(budget.cap_minor) === 0n) return [{ code: 'budget.none', pointer: '/budget/cap_minor', what }];
  if (BigInt(budget.cap_minor) >= BigInt(cost.at_least_minor)) return [];
  return [{ code: 'budget.below_cost', pointer: '/budget/cap_minor', what }];
};

const checkOutput: Rule = ({ mode, output }, { abilities }) => {
  const found: Find[] = [];
  if (!abilities.modes.includes(mode)) found.push({ code: 'output.mode_not_delivered', pointer: '/mode' });
  output.formats.forEach((format, index) => {
    if (abilities.formats.includes(format)) return;
    // What is left out is told; a task without any format that can be written has nothing to deliver.
    const severity = output.formats.some((other) => abilities.formats.includes(other)) ? 'warning' : 'error';
    const pointer = childPointer('/output/formats', index);
    found.push({ code: 'output.format_not_supported', severity, pointer, what: format });
  });
  const hasRows = mode === 'dataset' || mode === 'hybrid';
  const names = output.fields.map(({ name }) => name);
  if (hasRows && names.length === 0) found.push({ code: 'output.fields_missing', pointer: '/output/fields' });
  names.forEach((name, index) => {
    if (names.indexOf(name) === index) return;
    found.push({ code: 'output.field_twice', pointer: childPointer('/output/fields', index), what: name });
  });
  output.key.forEach((name, index) => {
    if (names.includes(name)) return;
    found.push({ code: 'output.key_unknown', pointer: childPointer('/output/key', index), what: name });
  });
  return found;
};

const RULES: readonly Rule[] = [
  checkOrigins,
  checkLimits,
  checkAuthorisation,
  checkAbilities,
  checkBudget,
  checkOutput,
];
