import type { Language } from '#contracts/ids.ts';
import { DEFAULT_CANDIDATES, type Origins, type TaskSpec } from '#contracts/research/task-spec.ts';
import { extractiveVersions, NO_MATERIALS, type RoleDefinition } from '../role-definition.ts';
import { chooseMode, findExclusions, findUrls, splitQuestions, titleOf } from './wording.ts';

/** Limits when nobody said otherwise. Pages cost seconds, so a quick search reads few. */
const LIMITS = {
  quick_search: { max_pages: 6, max_waves: 2, max_duration_ms: 180_000, max_parallel: 3 },
  research: { max_pages: 16, max_waves: 3, max_duration_ms: 900_000, max_parallel: 4 },
} as const;

/**
 * Compiles a sentence into a TaskSpec with an origin for every value (TS-02). It has no network.
 * What the user did not say is `template` (a platform default) or `inferred_awaiting_confirmation`, never `user`.
 */
export const requirementCompiler: RoleDefinition<'requirement_compiler'> = {
  role: 'requirement_compiler',
  versions: extractiveVersions('requirement_compiler', 1),
  tools: [],
  materials: () => NO_MATERIALS,
  propose: (task, _materials, language) => {
    const mode = chooseMode(task.text, task.mode);
    const spec = compile(task.text, mode, language);
    return {
      role: 'requirement_compiler',
      task_spec: spec,
      origins: originsOf(spec, task.mode === 'smart'),
      title: titleOf(task.text),
      clarifications: [],
    };
  },
};

function compile(text: string, mode: TaskSpec['mode'], language: Language): TaskSpec {
  const isQuick = mode === 'quick_search';
  return {
    mode,
    requirement_text: text,
    scope: {
      questions: splitQuestions(text),
      topics: [],
      items: [],
      as_of: null,
      region: null,
      exclusions: findExclusions(text),
      known_urls: findUrls(text),
      allowed_domains: [],
      acceptance: [],
      max_candidates: DEFAULT_CANDIDATES,
    },
    output: {
      language,
      form: isQuick ? 'short_answer' : 'report',
      formats: ['markdown', 'html', 'json'],
      row: null,
      key: [],
      fields: [],
      max_rows: null,
    },
    execution: isQuick ? LIMITS.quick_search : LIMITS.research,
    budget: { currency: 'USD', cap_minor: '0', unknown_price_policy: 'block' },
    policy_refs: ['read-only/1'],
  };
}

function originsOf(spec: TaskSpec, modeWasInferred: boolean): Origins {
  const said = (list: readonly string[]) => (list.length > 0 ? 'user' : 'template');
  return {
    '/mode': modeWasInferred ? 'inferred_awaiting_confirmation' : 'user',
    '/requirement_text': 'user',
    '/scope/questions': 'user',
    '/scope/topics': 'template',
    '/scope/items': 'template',
    '/scope/as_of': 'template',
    '/scope/region': 'template',
    '/scope/exclusions': said(spec.scope.exclusions),
    '/scope/known_urls': said(spec.scope.known_urls),
    '/scope/allowed_domains': 'template',
    '/scope/acceptance': 'template',
    '/output/language': 'inferred_awaiting_confirmation',
    '/output/form': 'template',
    '/output/formats': 'template',
    '/execution': 'template',
    '/budget': 'project_setting',
    '/policy_refs': 'project_setting',
  };
}
