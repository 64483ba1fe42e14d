import * as z from 'zod';
import type { Json } from '../json.ts';
import { failure, type Failure } from '../errors.ts';
import { childPointer, leafPointers, pointerOf, writePointer } from './json-pointer.ts';
import { completeOrigins } from './spec-origins.ts';
import { TaskSpec, type Origin, type Origins } from './task-spec.ts';

/** One value that a person wants otherwise. A list is changed as a whole, or one of its members. */
export const SpecChange = z.strictObject({
  pointer: z
    .string()
    .regex(/^(?:\/[^/]+)+$/)
    .max(200),
  value: z.json(),
});
export type SpecChange = z.infer<typeof SpecChange>;

export type StatedSpec = { readonly spec: TaskSpec; readonly origins: Origins };
export type Restated = ({ readonly ok: true } & StatedSpec) | { readonly ok: false; readonly problem: Failure };

/** The words of the request are kept as they were said, and policies are granted by settings, never by a plan. */
const CHANGEABLE = /^\/(?:mode$|(?:scope|output|execution|budget)\/)/;

/** Another version of the contract with these values; `origin` becomes theirs. Nothing is half done. */
export function changeSpec(stated: StatedSpec, changes: readonly SpecChange[], origin: Origin = 'user'): Restated {
  let document = stated.spec as Json;
  const said: Record<string, Origin> = { ...stated.origins };
  for (const { pointer, value } of changes) {
    if (!CHANGEABLE.test(pointer)) return refused(pointer, 'this value cannot be changed in a plan');
    const changed = writePointer(document, pointer, value as Json);
    if (changed === undefined) return refused(pointer, 'there is no such value in the contract');
    document = changed;
    state(said, pointer, value as Json, origin);
  }
  const spec = TaskSpec.safeParse(document);
  if (!spec.success) {
    const [issue] = spec.error.issues;
    return refused(pointerOf(issue?.path ?? []), issue?.message ?? 'it does not fit the contract');
  }
  const consistent = alignForm(spec.data, said);
  return { ok: true, spec: consistent, origins: completeOrigins(consistent, said, origin) };
}

/** What stood below the pointer is no longer there; the new value and all its members have the new origin. */
function state(said: Record<string, Origin>, pointer: string, value: Json, origin: Origin): void {
  for (const known of Object.keys(said)) {
    if (known === pointer || known.startsWith(`${pointer}/`)) delete said[known];
  }
  for (const leaf of leafPointers(value)) said[`${pointer}${leaf}`] = origin;
}

/** A mode has its form: a change of the one that does not name the other takes it along, as the platform's choice. */
function alignForm(spec: TaskSpec, said: Record<string, Origin>): TaskSpec {
  const form = formOfMode(spec.mode, spec.output.form);
  if (form === spec.output.form) return spec;
  said[childPointer('/output', 'form')] = 'template';
  return { ...spec, output: { ...spec.output, form } };
}

export function formOfMode(mode: TaskSpec['mode'], form: TaskSpec['output']['form']): TaskSpec['output']['form'] {
  if (mode === 'dataset') return 'dataset';
  if (mode === 'hybrid') return 'report';
  if (form !== 'dataset') return form;
  return mode === 'research' ? 'report' : 'short_answer';
}

const refused = (pointer: string, why: string): Restated => ({
  ok: false,
  problem: failure('spec.invalid', `${pointer}: ${why}`, { details: { pointer } }),
});
