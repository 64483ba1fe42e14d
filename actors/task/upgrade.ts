import { DEFAULT_CANDIDATES } from '#contracts/research/task-spec.ts';
import type { Json } from '#contracts/json.ts';
import { isRecord } from '#contracts/research/json-pointer.ts';
import type { Upgrade } from '#runtime/core/define-actor.ts';
import { NEW_IN_SECOND } from './new-task.ts';

const OUTPUT = { row: null, key: [], fields: [], max_rows: null };

/** From the first release: its plans were extractive, checked by mode alone, and cost nothing. */
export const upgrade: Upgrade = (stored) => {
  const { context } = stored;
  if (!isRecord(context)) return null;
  const questions = Array.isArray(context['questions']) ? (context['questions'] as Json[]) : [];
  return {
    ...stored,
    context: {
      ...NEW_IN_SECOND,
      ...context,
      spec: completed(context['spec']),
      questions: questions.map((question) =>
        isRecord(question) ? { ...question, independent: question['sources'] ?? 0, inherited: [] } : question,
      ),
    } as Json,
  };
};

function completed(spec: Json | undefined): Json {
  if (!isRecord(spec)) return null;
  const { scope, output } = spec;
  if (!isRecord(scope) || !isRecord(output)) return spec;
  return { ...spec, scope: { max_candidates: DEFAULT_CANDIDATES, ...scope }, output: { ...OUTPUT, ...output } };
}
