import type { Json } from '#contracts/json.ts';
import type { ModelRequest } from '#contracts/research/model.ts';

type Output = NonNullable<ModelRequest['output']>;

/** For endpoints that cannot be bound to a schema: the schema in words. */
export function schemaInWords({ name, schema }: Output): string {
  return `Answer with one JSON value named "${name}" and nothing else: no heading, no code fence. It follows this JSON schema:\n${JSON.stringify(schema)}`;
}

/** OpenAI's strict mode takes only schemas in which every object is closed and every property required. */
export function isStrictSchema(schema: Json): boolean {
  if (schema === null || typeof schema !== 'object') return true;
  if (isList(schema)) return schema.every(isStrictSchema);
  const properties = schema['properties'];
  if (schema['type'] === 'object' || isRecord(properties)) {
    if (schema['additionalProperties'] !== false || !isRecord(properties)) return false;
    const required = schema['required'];
    const names = isList(required) ? required : [];
    if (!Object.keys(properties).every((name) => names.includes(name))) return false;
  }
  return Object.values(schema).every(isStrictSchema);
}

/** JSON of a whole text. A single code fence around it is dropped: models without a schema mode like to add one. */
export function parseAnswer(text: string): { readonly value: Json } | null {
  const inner = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/i.exec(text.trim())?.[1] ?? text;
  try {
    return { value: JSON.parse(inner) as Json };
  } catch {
    return null;
  }
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !isList(value);
