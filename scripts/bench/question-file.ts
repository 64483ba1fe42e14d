import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { fail } from '#contracts/errors.ts';

export type BenchQuestion = { readonly id: string; readonly question: string; readonly answer: string };

const Grouped = z.array(
  z.object({ questions: z.array(z.object({ id: z.string(), question: z.string(), answer: z.string() })) }),
);
const Flat = z.array(z.object({ question: z.string(), answer: z.string() }));

/** Questions with gold answers: grouped by page, or a flat list. Which page an answer is on is not even read. */
export async function readQuestions(path: string): Promise<BenchQuestion[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) =>
    fail('config.invalid', `Cannot read ${path}.`, { cause }),
  );
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    return fail('config.invalid', `${path} is no JSON.`, { cause });
  }
  const grouped = Grouped.safeParse(data);
  if (grouped.success) return grouped.data.flatMap((page) => page.questions);
  const flat = Flat.safeParse(data);
  if (flat.success) return flat.data.map((entry, i) => ({ id: String(i + 1), ...entry }));
  return fail('config.invalid', `${path} holds no questions with answers.`);
}
