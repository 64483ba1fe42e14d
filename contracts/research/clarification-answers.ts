import type { Json } from '../json.ts';
import type { Clarification, ClarificationAnswer } from './clarification.ts';
import { isList } from './json-pointer.ts';
import { readAnswer } from './spoken-value.ts';
import { changeSpec, type Restated, type SpecChange, type StatedSpec } from './spec-change.ts';
import type { Origin } from './task-spec.ts';

export type AnswersGiven = {
  readonly answers: readonly ClarificationAnswer[];
  /** The rest, or all of it, is the platform's choice. */
  readonly decide_for_me: boolean;
};

/** Which of the open clarifications neither an answer nor a delegation settles. */
export function unsettled(asked: readonly Clarification[], given: AnswersGiven): Clarification[] {
  if (given.decide_for_me) return [];
  const answered = new Set(given.answers.map((answer) => answer.clarification_id));
  return asked.filter((clarification) => !answered.has(clarification.clarification_id));
}

/**
 * The contract with its open conditions settled. What a person answered is theirs; what was left to the platform keeps
 * the origin of the default, so that a delegation never reads as a demand (TS-02).
 */
export function settleClarifications(
  stated: StatedSpec,
  asked: readonly Clarification[],
  given: AnswersGiven,
): Restated {
  let settled: Restated = { ok: true, ...stated };
  for (const clarification of asked) {
    const answer = given.answers.find((one) => one.clarification_id === clarification.clarification_id);
    if (answer === undefined && !given.decide_for_me) continue;
    const value = answer === undefined ? (clarification.default as Json) : readAnswer(clarification, answer);
    const origin = answer === undefined ? clarification.default_origin : 'user';
    settled = settleOne(settled, clarification.pointer, value, origin);
    if (!settled.ok) return settled;
  }
  return settled;
}

function settleOne(stated: StatedSpec, pointer: string, value: Json, origin: Origin): Restated {
  const changed = changeSpec(stated, [{ pointer, value: value as SpecChange['value'] }], origin);
  if (!changed.ok || !isNaming(pointer)) return changed;
  return nameInQuestions(changed, pointer, value, origin);
}

const isNaming = (pointer: string): boolean => ['/scope/items', '/scope/region', '/scope/topics'].includes(pointer);

/** A question is searched by its words: what the answer named has to be among them. */
function nameInQuestions(stated: StatedSpec, pointer: string, value: Json, origin: Origin): Restated {
  const { questions } = stated.spec.scope;
  const names = (isList(value) ? value : [value]).filter((name): name is string => typeof name === 'string');
  const missing = names.filter((name) => !questions.some((question) => question.includes(name)));
  if (missing.length === 0) return { ok: true, ...stated };
  const suffix = stated.spec.output.language === 'zh-CN' ? `（${missing.join('、')}）` : ` (${missing.join(', ')})`;
  const changes = questions.map((question, index) => ({
    pointer: `/scope/questions/${index}`,
    value: question.length + suffix.length > 2000 ? question : `${question}${suffix}`,
  }));
  return changeSpec(stated, changes, origin);
}
