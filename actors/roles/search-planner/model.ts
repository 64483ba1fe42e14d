import * as z from 'zod';
import { foldText } from '#contracts/text/segment.ts';
import { modelPart, note } from '../role-model.ts';

const MAX_BRIEFS = 4;
const MAX_BRIEF_CHARS = 1000;

const Answer = z.strictObject({
  briefs: z.array(z.string().min(1).max(MAX_BRIEF_CHARS)).min(1).max(MAX_BRIEFS),
});

/** Words to search with, and nothing else: what the model believes to be the answer has no place to go. */
export const plannerModel = modelPart({
  role: 'search_planner',
  schema: Answer,
  schemaVersion: 1,
  reasoning: 'low',
  maxOutputTokens: 2000,
  asks: () => true,
  brief: (task) => ({ payload: { question: task.question, allowed_domains: task.allowed_domains }, items: [] }),
  judge: (answer) => {
    const briefs = new Map<string, string>();
    const notes = [];
    for (const brief of answer.briefs.map((text) => text.replace(/\s+/gu, ' ').trim())) {
      const same = foldText(brief)
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
      if (same === '') notes.push(note(brief, 'says nothing to search for'));
      else if (briefs.has(same)) notes.push(note(brief, 'the same search twice'));
      else briefs.set(same, brief);
    }
    if (briefs.size === 0) return { kind: 'unusable', problems: ['briefs: none of them says what to search for'] };
    return { kind: 'accepted', output: { role: 'search_planner', briefs: [...briefs.values()] }, notes };
  },
});
