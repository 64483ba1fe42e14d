import * as z from 'zod';
import type { Candidate } from '#contracts/actors/role.ts';
import { modelPart, note } from '../role-model.ts';
import type { RoleTaskOf } from '../role-definition.ts';

const MAX_SHOWN = 120;

const Answer = z.strictObject({ reads: z.array(z.string()).min(1).max(MAX_SHOWN) });

type Task = RoleTaskOf<'coordinator'>;

/** Each address once, with the questions that found it. */
function candidatesOf(task: Task): { candidate: Candidate; questions: number[] }[] {
  const found = new Map<string, { candidate: Candidate; questions: number[] }>();
  for (const { question_index, candidates } of task.candidates) {
    for (const candidate of candidates) {
      const known = found.get(candidate.url);
      if (known === undefined) found.set(candidate.url, { candidate, questions: [question_index] });
      else if (!known.questions.includes(question_index)) known.questions.push(question_index);
    }
  }
  return [...found.values()];
}

/** Chooses among what search found. It names candidates by key, so that no address of its own making can be opened. */
export const coordinatorModel = modelPart({
  role: 'coordinator',
  schema: Answer,
  schemaVersion: 1,
  reasoning: 'off',
  maxOutputTokens: 2000,
  // Where all of them may be read there is nothing to choose.
  asks: (task) => candidatesOf(task).length > task.max_pages,
  brief: (task) => ({
    payload: { most_pages: task.max_pages },
    items: candidatesOf(task).map(({ candidate, questions }, index) => ({
      key: `C${index + 1}`,
      id: candidate.url,
      head: `Found for: ${questions.map((question) => `question ${question + 1}`).join(', ')}\nAddress: ${candidate.url}`,
      text: `${candidate.title}\n${candidate.snippet}`,
    })),
  }),
  judge: (answer, { task, shown }) => {
    const byUrl = new Map(candidatesOf(task).map(({ candidate }) => [candidate.url, candidate]));
    const already = new Set(task.already_read);
    const reads: Candidate[] = [];
    const notes = [];
    for (const key of answer.reads) {
      const url = shown.get(key);
      const candidate = url === undefined ? undefined : byUrl.get(url);
      if (candidate === undefined) notes.push(note(key, 'names no candidate that was shown'));
      else if (already.has(candidate.url) || reads.includes(candidate))
        notes.push(note(candidate.url, 'chosen already'));
      else if (reads.length >= task.max_pages) notes.push(note(candidate.url, 'page limit of the plan'));
      else reads.push(candidate);
    }
    if (reads.length === 0) return { kind: 'unusable', problems: ['reads: none of them is the key of a candidate'] };
    const skipped = [...byUrl.values()]
      .filter((candidate) => !reads.includes(candidate))
      .map(({ url }) => ({ url, reason: 'not chosen' }));
    return { kind: 'accepted', output: { role: 'coordinator', reads, skipped }, notes };
  },
});
