import { completeOrigins } from '#contracts/research/spec-origins.ts';
import { TaskSpec, type Origins } from '#contracts/research/task-spec.ts';

type Parts = { readonly [Root in keyof TaskSpec]?: TaskSpec[Root] extends object ? object : TaskSpec[Root] };

/** A research contract that fits its schema, with what a test says otherwise. */
export function taskSpec(change: Parts = {}): TaskSpec {
  return TaskSpec.parse({
    mode: 'research',
    requirement_text: 'How tall are the towers?',
    ...change,
    scope: {
      questions: ['How tall are the towers?'],
      topics: [],
      items: ['Alder', 'Birch'],
      as_of: null,
      region: null,
      exclusions: [],
      known_urls: [],
      allowed_domains: [],
      acceptance: [],
      ...change.scope,
    },
    output: { language: 'en', form: 'report', formats: ['markdown'], ...change.output },
    execution: { max_pages: 16, max_waves: 3, max_duration_ms: 900_000, max_parallel: 4, ...change.execution },
    budget: { currency: 'USD', cap_minor: '0', unknown_price_policy: 'block', ...change.budget },
    policy_refs: change.policy_refs ?? ['read-only/1'],
  });
}

export const originsOf = (spec: TaskSpec, stated: Origins = {}): Origins => completeOrigins(spec, stated, 'template');

export const field = (name: string, change: object = {}) => ({
  name,
  type: 'text',
  unit: null,
  precision: null,
  choices: [],
  required: false,
  evidence: 'quote',
  ...change,
});
