import type { Language } from '#contracts/ids.ts';
import { completeOrigins } from '#contracts/research/spec-origins.ts';
import { formOfMode } from '#contracts/research/spec-change.ts';
import { DEFAULT_SPEC_SETTINGS, type SpecSettings } from '#contracts/research/spec-settings.ts';
import { DEFAULT_CANDIDATES, type Origin, type Origins, type TaskSpec } from '#contracts/research/task-spec.ts';
import { extractiveVersions, NO_MATERIALS, type RoleDefinition, type RoleTaskOf } from '../role-definition.ts';
import { clarify } from './clarify.ts';
import { findFields, findMaxRows, findRow, keyOf } from './fields.ts';
import { findItems } from './items.ts';
import { findLimits, withinContract, type SaidLimits } from './limits.ts';
import { chooseMode } from './mode.ts';
import { saidFormats, saidLanguage } from './output-wishes.ts';
import { splitQuestions } from './questions.ts';
import { findAcceptance, findAsOf, findDomains, findExclusions, findRegion, findUrls, titleOf } from './scope-words.ts';
import { sentencesOf } from './sentences-of-request.ts';
import { topicOf } from './topic.ts';

/** Limits when nobody said otherwise. Pages cost seconds, so a quick search reads few. */
const LIMITS = {
  quick_search: { max_pages: 6, max_waves: 2, max_duration_ms: 180_000, max_parallel: 3 },
  research: { max_pages: 16, max_waves: 3, max_duration_ms: 900_000, max_parallel: 4 },
} as const;
/** A request with many questions gets pages for each of them. */
const PAGES_PER_QUESTION = 3;

/**
 * Compiles a request into a TaskSpec with an origin for every value (TS-02). It has no network.
 * What the user did not say is `template` (a platform default) or `inferred_awaiting_confirmation`, never `user`.
 */
export const requirementCompiler: RoleDefinition<'requirement_compiler'> = {
  role: 'requirement_compiler',
  versions: extractiveVersions('requirement_compiler', 2),
  tools: [],
  materials: () => NO_MATERIALS,
  propose: (task, _materials, language) => {
    const limits = findLimits(task.text);
    const spec = compile(task, limits, language);
    return {
      role: 'requirement_compiler',
      task_spec: spec,
      origins: completeOrigins(spec, originsOf(spec, task, limits), 'template'),
      title: titleOf(task.text),
      clarifications: clarify(spec, spec.output.language),
    };
  },
};

type Ask = RoleTaskOf<'requirement_compiler'>;

function compile(task: Ask, limits: SaidLimits, language: Language): TaskSpec {
  const { text } = task;
  const mode = chooseMode(text, task.mode);
  const settings = task.settings ?? DEFAULT_SPEC_SETTINGS;
  const questions = splitQuestions(text);
  const topic = topicOf(sentencesOf(text));
  return {
    mode,
    requirement_text: text,
    scope: {
      questions,
      topics: topic === null ? [] : [topic],
      items: findItems(text),
      as_of: findAsOf(text),
      region: findRegion(text),
      exclusions: findExclusions(text),
      known_urls: findUrls(text),
      allowed_domains: findDomains(text),
      acceptance: findAcceptance(text),
      max_candidates: DEFAULT_CANDIDATES,
    },
    output: compileOutput(text, mode, settings, saidLanguage(text) ?? language),
    execution: withinContract(limits, limitsFor(mode, questions.length)),
    budget: { ...budgetOf(settings), ...limits.budget },
    policy_refs: settings.policy_refs,
  };
}

function limitsFor(mode: TaskSpec['mode'], questions: number): TaskSpec['execution'] {
  if (mode === 'quick_search') return LIMITS.quick_search;
  return { ...LIMITS.research, max_pages: Math.max(LIMITS.research.max_pages, questions * PAGES_PER_QUESTION) };
}

const budgetOf = ({ currency, cap_minor, unknown_price_policy }: SpecSettings): TaskSpec['budget'] => ({
  currency,
  cap_minor,
  unknown_price_policy,
});

function compileOutput(
  text: string,
  mode: TaskSpec['mode'],
  settings: SpecSettings,
  language: Language,
): TaskSpec['output'] {
  const hasRows = mode === 'dataset' || mode === 'hybrid';
  const fields = hasRows ? findFields(text) : [];
  const usual = mode === 'dataset' ? ['csv' as const, 'json' as const] : settings.formats;
  const wanted = [...saidFormats(text), ...(mode === 'hybrid' ? ['csv' as const] : [])];
  return {
    language,
    form: formOfMode(mode, mode === 'quick_search' ? 'short_answer' : 'report'),
    formats: [...new Set([...usual, ...wanted])],
    row: hasRows ? findRow(text) : null,
    key: keyOf(fields),
    fields,
    max_rows: hasRows ? findMaxRows(text) : null,
  };
}

/** Only what differs from a template; members follow their list. */
function originsOf(spec: TaskSpec, task: Ask, limits: SaidLimits): Origins {
  const said = (isSaid: boolean): Origin => (isSaid ? 'user' : 'template');
  const setting: Origin = task.settings === undefined ? 'template' : 'project_setting';
  const { scope, output } = spec;
  return {
    '/mode': task.mode === 'smart' ? 'inferred_awaiting_confirmation' : 'user',
    '/requirement_text': 'user',
    ...questionOrigins(spec),
    ...lists(scope.topics, '/scope/topics', 'inferred_awaiting_confirmation'),
    ...lists(scope.items, '/scope/items', 'user'),
    '/scope/as_of': said(scope.as_of !== null),
    '/scope/region': said(scope.region !== null),
    ...lists(scope.exclusions, '/scope/exclusions', 'user'),
    ...lists(scope.known_urls, '/scope/known_urls', 'user'),
    ...lists(scope.allowed_domains, '/scope/allowed_domains', 'user'),
    ...lists(scope.acceptance, '/scope/acceptance', 'user'),
    '/output/language': saidLanguage(task.text) === null ? 'inferred_awaiting_confirmation' : 'user',
    ...formatOrigins(output.formats, task),
    '/output/row': said(output.row !== null),
    ...lists(output.key, '/output/key', 'inferred_awaiting_confirmation'),
    ...fieldOrigins(output.fields),
    '/output/max_rows': said(output.max_rows !== null),
    '/execution/max_pages': said(limits.max_pages === spec.execution.max_pages),
    '/execution/max_waves': said(limits.max_waves === spec.execution.max_waves),
    '/execution/max_duration_ms': said(limits.max_duration_ms === spec.execution.max_duration_ms),
    '/budget': setting,
    ...(limits.budget === undefined ? {} : { '/budget/currency': 'user', '/budget/cap_minor': 'user' }),
    '/policy_refs': setting,
  };
}

/** A question in the user's own words is theirs; one that was completed so that it can stand alone is a reading of them. */
function questionOrigins({ scope, requirement_text }: TaskSpec): Origins {
  const bare = (text: string): string => text.replace(/\s+/gu, '');
  const said = bare(requirement_text);
  return Object.fromEntries(
    scope.questions.map((question, index) => [
      `/scope/questions/${index}`,
      said.includes(bare(question)) ? 'user' : 'inferred_awaiting_confirmation',
    ]),
  ) as Origins;
}

function formatOrigins(formats: readonly string[], task: Ask): Origins {
  const said: readonly string[] = saidFormats(task.text);
  const otherwise: Origin = task.settings === undefined ? 'template' : 'project_setting';
  return Object.fromEntries(
    formats.map((format, index) => [`/output/formats/${index}`, said.includes(format) ? 'user' : otherwise]),
  ) as Origins;
}

/** The name and the unit of a field were said; its type and the rest are read into them. */
function fieldOrigins(fields: TaskSpec['output']['fields']): Origins {
  const entries = fields.flatMap(({ unit }, index): [string, Origin][] => [
    [`/output/fields/${index}/name`, 'user'],
    [`/output/fields/${index}/type`, 'inferred_awaiting_confirmation'],
    [`/output/fields/${index}/unit`, unit === null ? 'template' : 'user'],
  ]);
  return Object.fromEntries(entries);
}

const lists = (list: readonly string[], pointer: string, origin: Origin): Origins =>
  list.length === 0 ? {} : { [pointer]: origin };
