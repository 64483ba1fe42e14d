import * as z from 'zod';
import type { Json } from '#contracts/json.ts';

/** Endpoints differ in which bounds they can be bound to; all take a schema without any. The bounds are checked here. */
const BOUNDS = new Set([
  '$schema',
  'default',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'pattern',
  'format',
]);

export type JsonSchema = { readonly [key: string]: Json };

/** The schema as endpoints take it: every object closed, every property required, no bounds. */
export function wireSchema(schema: z.ZodType): Record<string, z.core.util.JSONType> {
  return withoutBounds(z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'output' }) as Json) as Record<
    string,
    z.core.util.JSONType
  >;
}

function withoutBounds(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(withoutBounds);
  const entries = Object.entries(value).filter(([key]) => !BOUNDS.has(key));
  return Object.fromEntries(
    // Below `properties` the keys are names, which may be anything.
    entries.map(([key, item]) => [key, key === 'properties' ? namedSchemas(item) : withoutBounds(item)]),
  );
}

function namedSchemas(value: Json): Json {
  if (value === null || typeof value !== 'object' || isList(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutBounds(item)]));
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** What is wrong with the shape of an answer, in few words that can be sent back. */
export function shapeProblems(error: z.ZodError): string[] {
  return error.issues
    .slice(0, 8)
    .map(({ path, message }) => `${path.length === 0 ? 'the answer' : path.join('.')}: ${message}`);
}
