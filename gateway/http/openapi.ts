import * as z from 'zod';
import type { Json } from '#contracts/json.ts';
import { DEFAULT_PROJECT } from './middleware/resolve-project.ts';
import type { Route } from './route.ts';
import { NAMED_SCHEMAS } from './schema-names.ts';

type JsonObject = { readonly [key: string]: Json };

/** The published contract (OpenAPI 3.1), made of the very schemas that requests and answers are checked with. */
export function describeInterface(routes: readonly Route[], version: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = describeRoute(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Yunsou',
      version,
      description: 'Ids are opaque. Counters are decimal strings. Times are RFC 3339 in UTC.',
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: {
      schemas: Object.fromEntries(NAMED_SCHEMAS.map(({ name, schema, io }) => [name, jsonSchemaOf(schema, io)])),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'yunsou_<installation>' },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function describeRoute(route: Route): JsonObject {
  return {
    summary: route.summary,
    operationId: operationIdOf(route),
    security: route.access === 'open' ? [] : [{ session: [] }, { token: [] }],
    parameters: [
      ...parametersIn('path', route.params, true),
      ...parametersIn('query', route.query, false),
      ...(route.requestHeaders ?? []).map(({ name, isRequired, what }) => header(name, isRequired, what)),
      header('X-Project-ID', false, `The project; \`${DEFAULT_PROJECT}\` when absent`),
    ],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: refer(route.body, 'input') } } } }),
    responses: {
      [String(route.answer.status)]: { description: route.answer.description, ...contentOf(route) },
      default: {
        description: 'A problem (RFC 9457); `code` is from a closed list',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function contentOf({ answer }: Route): JsonObject {
  if (answer.schema !== undefined) {
    return { content: { 'application/json': { schema: refer(answer.schema, 'output') } } };
  }
  return answer.mediaType === undefined ? {} : { content: { [answer.mediaType]: { schema: { type: 'string' } } } };
}

const operationIdOf = (route: Route): string =>
  `${route.method}_${route.path.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '')}`;

const header = (name: string, required: boolean, description: string): JsonObject => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined, isRequired: boolean): JsonObject[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    required: isRequired,
    schema: jsonSchemaOf(part as z.ZodType, 'input'),
  }));
}

function refer(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const named = NAMED_SCHEMAS.find((candidate) => candidate.schema === schema);
  return named === undefined ? jsonSchemaOf(schema, io) : { $ref: `#/components/schemas/${named.name}` };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, $defs: _anyJson, ...plain } = z.toJSONSchema(schema, { io });
  return openAnyJson(plain as Json) as JsonObject;
}

/** The only recursive schema of the contract is "any JSON", which is what an empty schema says. */
function openAnyJson(node: Json): Json {
  if (Array.isArray(node)) return node.map(openAnyJson);
  if (typeof node !== 'object' || node === null) return node;
  const entries = node as JsonObject;
  if (typeof entries['$ref'] === 'string' && entries['$ref'].startsWith('#/$defs/')) return {};
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, openAnyJson(value)]));
}
