import { extractiveVersions, type RoleDefinition } from '../role-definition.ts';
import { numberCitations } from './citations.ts';
import { assertionsInOrder, composeSection, uncovered } from './compose.ts';
import { renderMarkdown } from './markdown.ts';

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
    const composition = { ...numberCitations(order, materials), language };
    const sections = task.questions.map((question) =>
      composeSection(question, task.questions.length > 1, order, composition),
    );
    const gaps = [...task.gaps, ...uncovered(task.questions, order, task.gaps)];
    const answer = {
      language,
      engine: 'extractive' as const,
      question: task.questions.join('\n'),
      title: task.title,
      sections: sections.filter((section) => section.sentences.length > 0),
      citations: composition.citations,
      gaps,
    };
    return { role: 'report_writer', answer: { ...answer, markdown: renderMarkdown(answer) } };
  },
};
