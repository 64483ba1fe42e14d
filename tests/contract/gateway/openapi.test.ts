import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '#gateway/http/route-list.ts';
import { startGateway, type GatewayHarness } from '#tests/support/fakes/gateway-harness.ts';

type Operation = {
  operationId: string;
  security: unknown[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
  responses: Record<string, unknown>;
};
type Contract = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown>; additionalProperties?: unknown }> };
};

/** Calls of the interface contract that other people's tools rely on. */
const PROMISED = [
  'post /conversations',
  'get /conversations',
  'get /conversations/{conversation_id}',
  'post /conversations/{conversation_id}/messages',
  'post /conversations/{conversation_id}/messages/{message_id}/revisions',
  'get /conversations/{conversation_id}/events',
  'post /tasks',
  'get /tasks',
  'get /tasks/{task_id}',
  'get /tasks/{task_id}/events',
  ...['compile-plan', 'preflight', 'start', 'pause', 'resume', 'stop', 'continue-as-new'].map(
    (name) => `post /tasks/{task_id}/${name}`,
  ),
  'get /artifacts/{artifact_id}',
  'get /artifacts/{artifact_id}/files/{name}',
  'get /source-revisions/{source_revision_id}',
  'get /evidence/{evidence_id}',
  'get /operations/{operation_id}',
  'get /actors',
  'get /actors/{kind}/{id}',
  'get /actors/{kind}/{id}/transitions',
  'post /actors/{kind}/{id}/commands',
  'get /dead-letters',
  'get /quarantine',
  'get /health',
  'get /ready',
  'get /metrics',
  'get /openapi.json',
];

describe('the published contract', () => {
  let host: GatewayHarness;
  let contract: Contract;
  const operations = () =>
    Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );

  beforeAll(async () => {
    host = await startGateway();
    contract = (await host.call<Contract>('/openapi.json', { as: 'stranger' })).body;
  });
  afterAll(async () => host.close());

  it('[AP-01] names every promised call, and each mounted route', () => {
    const named = operations().map(({ path, method }) => `${method} ${path}`);
    expect(named).toEqual(expect.arrayContaining(PROMISED));
    expect(named).toHaveLength(allRoutes('0').length);
    expect(new Set(operations().map(({ operation }) => operation.operationId)).size).toBe(named.length);
  });

  it('[AP-01] every reference leads to a schema and every path parameter is described', () => {
    const references = [...JSON.stringify(contract).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target ?? '');
    expect(references.length).toBeGreaterThan(30);
    for (const target of new Set(references)) {
      expect(target).toMatch(/^#\/components\/schemas\//);
      expect(contract.components.schemas).toHaveProperty(target.split('/').at(-1) ?? '');
    }
    for (const { path, operation } of operations()) {
      const inPath = operation.parameters.filter((one) => one.in === 'path').map((one) => one.name);
      expect(inPath).toEqual([...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name));
    }
  });

  it('[AP-01] bodies refuse unknown fields, and the contract says so', () => {
    for (const name of ['PostMessage', 'CreateTask', 'StartTask', 'ReviseMessage', 'ApproveFolder']) {
      expect(contract.components.schemas[name]?.additionalProperties, name).toBe(false);
    }
    expect(Object.keys(contract.components.schemas['TaskDetail']?.properties ?? {})).toContain('snapshot_event_seq');
  });

  it('[SC-01] only these calls are open', () => {
    const open = operations().filter(({ operation }) => operation.security.length === 0);
    expect(open.map(({ path, method }) => `${method} ${path}`).sort()).toEqual([
      'delete /session',
      'get /health',
      'get /openapi.json',
      'get /ready',
      'get /session',
      'post /session',
    ]);
  });
});
