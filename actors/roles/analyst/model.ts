import * as z from 'zod';
import { modelPart, note } from '../role-model.ts';

/** What can be asked for; whoever carries it out does the arithmetic, over the stored quotes. */
const METHODS = [
  'count',
  'sum',
  'difference',
  'ratio',
  'share',
  'minimum',
  'maximum',
  'mean',
  'median',
  'rank',
] as const;

const Answer = z.strictObject({
  computations: z
    .array(z.strictObject({ method: z.enum(METHODS), assertions: z.array(z.string()).min(1).max(50) }))
    .max(20),
});

/** Names computations over assertions by key. There is no place for a figure or a sentence of its own. */
export const analystModel = modelPart({
  role: 'analyst',
  schema: Answer,
  schemaVersion: 1,
  reasoning: 'low',
  maxOutputTokens: 2000,
  asks: (task) => task.assertion_ids.length > 0,
  materials: () => ({ sourceRevisionIds: [], evidenceOfTask: true }),
  brief: (task, { assertions }) => ({
    payload: { question: task.question, methods: [...METHODS] },
    items: assertions
      .filter(({ assertion_id }) => task.assertion_ids.includes(assertion_id))
      .map(({ assertion_id, text }, index) => ({ key: `A${index + 1}`, id: assertion_id, head: '', text })),
  }),
  judge: (answer, { shown, materials }) => {
    const usable = new Set(
      materials.assertions.filter(({ status }) => status === 'verified').map(({ assertion_id }) => assertion_id),
    );
    const notes = [];
    const computations = [];
    for (const { method, assertions } of answer.computations) {
      const ids = assertions.map((key) => shown.get(key) ?? '');
      if (ids.every((id) => usable.has(id))) computations.push({ method, input: { assertion_ids: ids } });
      else
        notes.push(
          note(`${method} of ${assertions.join(', ')}`, 'names an assertion that is not at hand or not verified'),
        );
    }
    return { kind: 'accepted', output: { role: 'analyst', computations }, notes };
  },
});
