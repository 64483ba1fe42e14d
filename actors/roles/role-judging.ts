import { RoleOutput } from '#contracts/actors/role.ts';
import { modelParts } from './role-model-catalogue.ts';
import type { AnyModelPart, Judged } from './role-model.ts';
import { shapeProblems } from './role-schema.ts';

type Given = Parameters<AnyModelPart['judge']>[1];

const MAX_NOTES = 100;

/** The answer of a model as the role's output: first its shape, then what the role's own judge lets through. Pure. */
export function judgeAnswer(value: unknown, given: Given): Judged<RoleOutput> {
  const part = modelParts[given.task.role];
  const answer = part.schema.safeParse(value);
  if (!answer.success) return { kind: 'unusable', problems: shapeProblems(answer.error) };
  const judged = part.judge(answer.data, given);
  if (judged.kind === 'unusable') return judged;
  const output = RoleOutput.safeParse(judged.output);
  if (!output.success) return { kind: 'unusable', problems: shapeProblems(output.error) };
  return { ...judged, output: output.data, notes: judged.notes.slice(0, MAX_NOTES) };
}
