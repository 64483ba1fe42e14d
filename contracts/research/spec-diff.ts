import * as z from 'zod';
import { canonicalJson } from '../canonical-json.ts';
import type { Json } from '../json.ts';
import { childPointer, isList, isRecord } from './json-pointer.ts';
import type { TaskSpec } from './task-spec.ts';

/** One value that another version of the plan has otherwise. What a version does not have is null. */
export const SpecDifference = z.object({ pointer: z.string(), before: z.json(), after: z.json() });
export type SpecDifference = z.infer<typeof SpecDifference>;

/**
 * What changed between two versions, in the order of the contract.
 * Lists of the same length differ by member; a list that grew or shrank differs as a whole, because its members moved.
 */
export function diffSpecs(before: TaskSpec, after: TaskSpec): SpecDifference[] {
  return differences(before as Json, after as Json, '');
}

function differences(before: Json, after: Json, pointer: string): SpecDifference[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key] ?? null, after[key] ?? null, childPointer(pointer, key)));
  }
  if (isList(before) && isList(after) && before.length === after.length) {
    return before.flatMap((item, index) => differences(item, after[index] ?? null, childPointer(pointer, index)));
  }
  return [{ pointer, before, after } as SpecDifference];
}
