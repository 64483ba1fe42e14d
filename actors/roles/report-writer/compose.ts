import type { Language } from '#contracts/ids.ts';
import type { AnswerSection, AnswerSentence, Citation } from '#contracts/research/answer.ts';
import { gapOf, type Assertion, type Gap } from '#contracts/research/evidence.ts';
import { phrases } from './phrases.ts';
import { wordSentence } from './wording.ts';

export type Composition = {
  readonly citations: readonly Citation[];
  readonly numbersOf: (assertion: Assertion) => readonly number[];
  readonly language: Language;
};

/** Assertions that may be said, by question and by rank. */
export function assertionsInOrder(questions: readonly string[], assertions: readonly Assertion[]): Assertion[] {
  const usable = assertions.filter(
    (assertion) => assertion.status === 'verified' || assertion.status === 'conflicting',
  );
  const place = (assertion: Assertion) => questions.indexOf(assertion.answers);
  return [...usable].sort((a, b) => place(a) - place(b) || a.position - b.position);
}

/** The section in the assertions' own words. `sentences` instead of those of the verified ones, when somebody worded them. */
export function composeSection(
  question: string,
  showHeading: boolean,
  order: readonly Assertion[],
  composition: Composition,
  sentences?: readonly AnswerSentence[],
): AnswerSection {
  // An assertion whose evidence or source is not at hand is not said at all.
  const mine = order.filter(
    (assertion) => assertion.answers === question && composition.numbersOf(assertion).length > 0,
  );
  const ofStatus = (status: Assertion['status']) =>
    mine.filter((assertion) => assertion.status === status).map((assertion) => toSentence(assertion, composition));
  const conflicting = ofStatus('conflicting');
  return {
    heading: showHeading ? question : '',
    sentences: [
      ...(sentences ?? ofStatus('verified')),
      ...(conflicting.length === 0 ? [] : [{ role: 'frames' as const, text: phrases(composition.language).conflict }]),
      ...conflicting,
    ],
  };
}

function toSentence(assertion: Assertion, { citations, numbersOf, language }: Composition): AnswerSentence {
  const numbers = [...numbersOf(assertion)];
  const source = citations.find((citation) => citation.n === numbers[0])?.source;
  return {
    role: 'asserts',
    text: wordSentence(assertion.text, source, language),
    assertion_id: assertion.assertion_id,
    citations: numbers,
  };
}

/** Questions that nothing answers and no gap names yet. */
export function uncovered(questions: readonly string[], order: readonly Assertion[], known: readonly Gap[]): Gap[] {
  return questions
    .filter((question) => !order.some((assertion) => assertion.answers === question))
    .map((question) => gapOf(question, 'not_found'))
    .filter(({ what }) => !known.some((gap) => gap.what === what));
}
