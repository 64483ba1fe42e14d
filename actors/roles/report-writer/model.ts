import * as z from 'zod';
import type { RoleNote } from '#contracts/actors/role.ts';
import type { AnswerSentence } from '#contracts/research/answer.ts';
import type { Assertion, Gap } from '#contracts/research/evidence.ts';
import { foldText } from '#contracts/text/segment.ts';
import type { RoleTaskOf } from '../role-definition.ts';
import { modelPart, note, type Given, type Judged } from '../role-model.ts';
import { numbersOf } from '../role-numbers.ts';
import { numberCitations } from './citations.ts';
import { assertionsInOrder, composeSection, uncovered } from './compose.ts';
import { renderMarkdown } from './markdown.ts';
import { isForeign, sentenceProblem, withoutMarks } from './sentence-check.ts';

const Answer = z.strictObject({
  sections: z
    .array(
      z.strictObject({
        question: z.string(),
        sentences: z
          .array(z.strictObject({ text: z.string().min(1), assertions: z.array(z.string()).max(12) }))
          .max(80),
      }),
    )
    .max(20),
  gaps: z
    .array(
      z.strictObject({
        question: z.string(),
        what: z.string().min(1).max(300),
        reason: z.enum(['not_found', 'not_disclosed', 'not_applicable']),
      }),
    )
    .max(20),
});
type Answer = z.infer<typeof Answer>;

/**
 * Words sentences for assertions. Headings, lead-ins, conflicts and the numbers of citations are not its own: a sentence without
 * an assertion that was given has no place in the answer, so nothing can be said beside the evidence.
 */
export const writerModel = modelPart({
  role: 'report_writer',
  schema: Answer,
  schemaVersion: 1,
  reasoning: 'low',
  maxOutputTokens: 12_000,
  asks: (task, materials) => sayable(task, materials.assertions).length > 0,
  brief: (task, { assertions, evidence, sources }) => ({
    payload: {
      title: task.title,
      form: task.form,
      questions: task.questions.map((question, index) => ({ key: `Q${index + 1}`, question })),
    },
    items: sayable(task, assertions).map((assertion, index) => {
      const quoted = evidence.filter(({ evidence_id }) => assertion.evidence_ids.includes(evidence_id));
      const titles = quoted.flatMap(
        (item) => sources.find((source) => source.source_revision_id === item.source_revision_id)?.title ?? [],
      );
      return {
        key: `A${index + 1}`,
        id: assertion.assertion_id,
        head: `Answers: Q${task.questions.indexOf(assertion.answers) + 1}\nSource: ${titles.join('; ')}`,
        text: [
          assertion.text,
          ...quoted.filter(({ quote }) => quote !== assertion.text).map(({ quote }) => `Quote: ${quote}`),
        ].join('\n'),
      };
    }),
  }),
  judge,
});

/** Conflicts are shown side by side by rule; the model words only what is verified. */
function sayable(task: RoleTaskOf<'report_writer'>, assertions: readonly Assertion[]): Assertion[] {
  return assertionsInOrder(task.questions, assertions).filter(
    ({ status, answers }) => status === 'verified' && task.questions.includes(answers),
  );
}

type Worded = { readonly text: string; readonly assertions: readonly Assertion[] };

function judge(answer: Answer, given: Given<'report_writer'>): Judged<ReturnType<typeof outputOf>> {
  const { task, language, isLast } = given;
  const notes: RoleNote[] = [];
  const texts = answer.sections.flatMap(({ sentences }) => sentences.map(({ text }) => text));
  if (!isLast && texts.length === 0) return { kind: 'unusable', problems: ['sections: there is no sentence'] };
  const foreign = texts.filter((text) => isForeign(text, language)).length;
  if (!isLast && foreign * 2 > texts.length)
    return { kind: 'unusable', problems: [`sentences: they are to be written in ${language}`] };
  const worded = task.questions.map((_, index) => wordedOf(answer, `Q${index + 1}`, given, notes));
  for (const { question } of answer.sections) {
    if (!task.questions.some((_, index) => question === `Q${index + 1}`))
      notes.push(note(question, 'names no question of the task'));
  }
  const gaps = gapsOf(answer, task, notes);
  return { kind: 'accepted', output: outputOf(worded, gaps, given, notes), notes };
}

function wordedOf(answer: Answer, key: string, given: Given<'report_writer'>, notes: RoleNote[]): Worded[] {
  const { shown, materials } = given;
  const said = new Set<string>();
  const byId = new Map(sayable(given.task, materials.assertions).map((one) => [one.assertion_id, one]));
  const sentences = answer.sections.filter(({ question }) => question === key).flatMap((section) => section.sentences);
  return sentences.flatMap((sentence) => {
    const text = withoutMarks(sentence.text);
    const named = [...new Set(sentence.assertions)];
    const assertions = named.flatMap((name) => byId.get(shown.get(name) ?? '') ?? []);
    const unknown = named.find((name) => byId.get(shown.get(name) ?? '') === undefined);
    const problem =
      unknown === undefined
        ? sentenceProblem(text, assertions, given)
        : `it names ${unknown.slice(0, 40)}, which is no assertion that was given`;
    const same = foldText(text);
    if (problem !== null) notes.push(note(text, problem));
    else if (said.has(same)) notes.push(note(text, 'said twice'));
    if (problem !== null || said.has(same)) return [];
    said.add(same);
    return [{ text, assertions }];
  });
}

/** A gap is stated, so it brings no figure and no address. */
function gapsOf(answer: Answer, task: RoleTaskOf<'report_writer'>, notes: RoleNote[]): Gap[] {
  return answer.gaps.flatMap(({ question, what, reason }) => {
    const about = task.questions.find((_, index) => question === `Q${index + 1}`);
    const figure = about === undefined ? [] : numbersOf(what).filter(({ text }) => !about.includes(text));
    const problem =
      about === undefined
        ? 'the gap is of no question of the task'
        : figure.length > 0 || /https?:|www\./iu.test(what)
          ? 'a gap states no figures and no addresses'
          : null;
    if (problem === null) return [{ what, reason }];
    notes.push(note(what, problem));
    return [];
  });
}

function outputOf(
  worded: readonly (readonly Worded[])[],
  stated: readonly Gap[],
  { task, materials, language }: Given<'report_writer'>,
  notes: readonly RoleNote[],
) {
  const order = assertionsInOrder(task.questions, materials.assertions);
  const perQuestion = task.questions.map((question, index) => usedIn(question, order, worded[index] ?? []));
  const { citations, numbersOf: numbers } = numberCitations(perQuestion.flat(), materials);
  const composition = { citations, numbersOf: numbers, language };
  const sections = task.questions.map((question, index) => {
    const sentences = (worded[index] ?? []).flatMap(({ text, assertions }): AnswerSentence[] => {
      const cited = [...new Set(assertions.flatMap(numbers))];
      const [first, ...also] = assertions.map(({ assertion_id }) => assertion_id);
      if (first === undefined || cited.length === 0) return [];
      return [{ role: 'asserts', text, assertion_id: first, ...(also.length === 0 ? {} : { also }), citations: cited }];
    });
    // Where nothing of the model's wording is left, the assertions speak for themselves.
    const own = sentences.length === 0 ? undefined : sentences;
    return composeSection(question, task.questions.length > 1, perQuestion[index] ?? [], composition, own);
  });
  const gaps = [...task.gaps, ...stated];
  const answer = {
    language,
    engine: 'model' as const,
    question: task.questions.join('\n'),
    title: task.title,
    sections: sections.filter((section) => section.sentences.length > 0),
    citations,
    gaps: [...gaps, ...uncovered(task.questions, order, gaps)],
    rejected: [...(materials.notes ?? []), ...notes],
  };
  return { role: 'report_writer' as const, answer: { ...answer, markdown: renderMarkdown(answer) } };
}

/** What a section says, in the order in which it says it. */
function usedIn(question: string, order: readonly Assertion[], worded: readonly Worded[]): Assertion[] {
  const mine = order.filter(({ answers }) => answers === question);
  if (worded.length === 0) return mine;
  const said = worded.flatMap(({ assertions }) => assertions);
  return [...new Set([...said, ...mine.filter(({ status }) => status === 'conflicting')])];
}
