import * as z from 'zod';
import { completeOrigins } from '#contracts/research/spec-origins.ts';
import type { Origins, TaskSpec } from '#contracts/research/task-spec.ts';
import { foldText } from '#contracts/text/segment.ts';
import { modelPart, note } from '../role-model.ts';
import { numbersOf, isContained } from '../role-numbers.ts';

const MAX_QUESTIONS = 8;

const Answer = z.strictObject({
  title: z.string().max(200),
  questions: z.array(z.string().min(1).max(1000)).min(1).max(MAX_QUESTIONS),
  topics: z.array(z.string().max(200)).max(20),
});

/**
 * Takes a long requirement apart into questions that can be researched. Mode, limits, budget, addresses and everything else of
 * the contract stay what the rules made of the user's words: the model has no place to write them, and it is asked nothing of the network.
 */
export const compilerModel = modelPart({
  role: 'requirement_compiler',
  schema: Answer,
  schemaVersion: 1,
  reasoning: 'low',
  maxOutputTokens: 3000,
  // One plain question is its own question.
  asks: (task) => task.text.length > 120 || (task.text.match(/[?？\n]/gu)?.length ?? 0) > 1,
  brief: (task) => ({ payload: { requirement: task.text, mode: task.mode, asked_time: task.asked_time }, items: [] }),
  judge: (answer, { task, extractive }) => {
    const base = extractive();
    const notes = [];
    const questions = new Map<string, string>();
    for (const question of answer.questions.map((text) => text.replace(/\s+/gu, ' ').trim())) {
      const figure = numbersOf(question).find((one) => !isContained(one, task.text));
      const same = foldText(question);
      if (question === '' || questions.has(same)) notes.push(note(question, 'the same question twice'));
      else if (figure !== undefined) notes.push(note(question, `${figure.text} is not in the requirement`));
      else questions.set(same, question);
    }
    if (questions.size === 0)
      return { kind: 'unusable', problems: ['questions: none of them stays with what the requirement says'] };
    const { task_spec: spec, origins } = base;
    const topics = answer.topics.filter((topic) => topic.trim() !== '');
    const compiled = { ...spec, scope: { ...spec.scope, questions: [...questions.values()], topics } };
    return {
      kind: 'accepted',
      output: {
        ...base,
        title: answer.title.trim() === '' ? base.title : answer.title.trim(),
        task_spec: compiled,
        origins: completeOrigins(compiled, inferred(compiled, origins), 'template'),
      },
      notes,
    };
  },
});

/** A question in the user's own words is theirs; every other one is a reading that never passes as theirs (TS-02). */
function inferred({ requirement_text: text, scope }: TaskSpec, origins: Origins): Origins {
  const bare = (words: string): string => words.replace(/\s+/gu, '');
  const others = Object.entries(origins).filter(
    ([pointer]) => !/^\/scope\/(?:questions|topics)(?:\/|$)/u.test(pointer),
  );
  const questions = scope.questions.map((question, index): [string, Origins[string]] => [
    `/scope/questions/${index}`,
    bare(text).includes(bare(question)) ? 'user' : 'inferred_awaiting_confirmation',
  ]);
  return Object.fromEntries([...others, ...questions, ['/scope/topics', 'inferred_awaiting_confirmation']]);
}
