import type { Language } from '#contracts/ids.ts';
import type { AnswerSection, AnswerSentence, Citation } from '#contracts/research/answer.ts';
import type { Assertion, Gap } from '#contracts/research/evidence.ts';
import { extractiveVersions, type Materials, type RoleDefinition } from '../role-definition.ts';
import { numberCitations } from './citations.ts';
import { renderMarkdown } from './markdown.ts';
import { phrases } from './phrases.ts';
import { wordSentence } from './wording.ts';

/**
 * Composes sentences bound to assertions. It adds no facts: a sentence that asserts is an assertion's own words
 * or names who wrote them; every other sentence is a heading, a lead-in or a stated gap.
 */
export const reportWriter: RoleDefinition<'report_writer'> = {
  role: 'report_writer',
  versions: extractiveVersions('report_writer', 1),
  tools: [],
  materials: () => ({ sourceRevisionIds: [], evidenceOfTask: true }),
  propose: (task, materials, language) => {
    const order = assertionsInOrder(task.questions, materials.assertions);
    const { citations, numbersOf } = numberCitations(order, materials);
    const sections = task.questions.map((question) =>
      composeSection(question, task.questions.length > 1, order, { citations, numbersOf, language }),
    );
    const gaps = [...task.gaps, ...uncovered(task.questions, order, task.gaps)];
    const answer = {
      language,
      engine: 'extractive' as const,
      question: task.questions.join('\n'),
      title: task.title,
      sections: sections.filter((section) => section.sentences.length > 0),
      citations,
      gaps,
    };
    return { role: 'report_writer', answer: { ...answer, markdown: renderMarkdown(answer) } };
  },
};

type Composition = {
  readonly citations: readonly Citation[];
  readonly numbersOf: (assertion: Assertion) => readonly number[];
  readonly language: Language;
};

function assertionsInOrder(questions: readonly string[], assertions: Materials['assertions']): Assertion[] {
  const usable = assertions.filter(
    (assertion) => assertion.status === 'verified' || assertion.status === 'conflicting',
  );
  const place = (assertion: Assertion) => questions.indexOf(assertion.answers);
  return [...usable].sort((a, b) => place(a) - place(b) || a.position - b.position);
}

function composeSection(
  question: string,
  showHeading: boolean,
  order: readonly Assertion[],
  { citations, numbersOf, language }: Composition,
): AnswerSection {
  // An assertion whose evidence or source is not at hand is not said at all.
  const mine = order.filter((assertion) => assertion.answers === question && numbersOf(assertion).length > 0);
  const sentences: AnswerSentence[] = [];
  const conflicting = mine.filter((assertion) => assertion.status === 'conflicting');
  for (const assertion of mine.filter((candidate) => candidate.status === 'verified')) {
    sentences.push(toSentence(assertion));
  }
  if (conflicting.length > 0) {
    sentences.push({ role: 'frames', text: phrases(language).conflict });
    sentences.push(...conflicting.map(toSentence));
  }
  return { heading: showHeading ? question : '', sentences };

  function toSentence(assertion: Assertion): AnswerSentence {
    const numbers = [...numbersOf(assertion)];
    const source = citations.find((citation) => citation.n === numbers[0])?.source;
    return {
      role: 'asserts',
      text: wordSentence(assertion.text, source, language),
      assertion_id: assertion.assertion_id,
      citations: numbers,
    };
  }
}

function uncovered(questions: readonly string[], order: readonly Assertion[], known: readonly Gap[]): Gap[] {
  return questions
    .filter((question) => !order.some((assertion) => assertion.answers === question))
    .filter((question) => !known.some((gap) => gap.what === question))
    .map((question) => ({ what: question, reason: 'not_found' as const }));
}
