import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { PlatformError } from '#contracts/errors.ts';
import { openModels, type ModelsOptions } from '#runtime/main/models.ts';
import { readConfig } from '#runtime/main/config.ts';
import { specSettingsOf } from '#runtime/main/spec-settings.ts';
import { systemClock } from '#runtime/main/system-time.ts';
import { startGateway, type GatewayHarness } from '#tests/support/fakes/gateway-harness.ts';
import { chatWire } from '#tests/support/fakes/vendors/chat-wire.ts';
import { KEY, listeningLogger, requestOf } from '#tests/support/fakes/vendors/model-harness.ts';
import { ModelServer } from '#tests/support/fakes/vendors/model-server.ts';

const servers: ModelServer[] = [];
const hosts: GatewayHarness[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  for (const server of servers.splice(0)) await server.stop();
});

const profileText = (baseUrl: string, more = ''): string => `profiles:
  - name: own
    version: '7'
    protocol: openai_chat
    model: own-model
    base_url: ${baseUrl}
    key_variable: OWN_KEY
    context_window: 32000
    max_output_tokens: 4000
    parallel_tools: false
    forced_tools: true
    structured_output: json_schema
    thinking: { transport: none }
    reasoning_replay: never
${more}`;

const PRICES = `    prices:
      currency: EUR
      version: own/1
      date: '2026-11-01'
      per_million: { input: '1', cached_input: '1', cache_write: '1', output: '4' }
    limits: { in_flight: 2 }
`;

async function fileOf(text: string, name = 'profiles.yaml'): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'yunsou-models-')), name);
  await writeFile(path, text);
  return path;
}

async function serve(status = 200): Promise<ModelServer> {
  const server = await ModelServer.start(
    status === 200
      ? { frames: chatWire.frames({ text: 'pong' }) }
      : { status, json: { error: { message: `no such key ${KEY}` } } },
  );
  servers.push(server);
  return server;
}

const open = async (
  model: string | null,
  profilesFile: string | null,
  environment: ModelsOptions['environment'] = {},
) => {
  const logger = listeningLogger();
  const config = { model: { profile: model, profilesFile } };
  const models = await openModels({ config, environment, promptsVersion: 'p1', clock: systemClock, logger });
  return { models, logger };
};

describe('configured models', () => {
  it('[RO-06] without a configured model there is none, and the engine is the extractive one', async () => {
    const { models } = await open(null, null);
    expect(models.port).toBeNull();
    const view = models.administration.view();
    expect(view.engine).toBe('extractive');
    expect(view.models.map(({ profile }) => profile)).toContain('claude-sonnet-5-5');
    expect(view.models.every(({ is_default }) => !is_default)).toBe(true);
  });

  it('[RO-06] an own profile with the key in a file is the engine of new tasks, and is called', async () => {
    const server = await serve();
    const file = await fileOf(profileText(`${server.url}/v1`, PRICES));
    const { models } = await open('own', file, { OWN_KEY_FILE: await fileOf(`${KEY}\n`, 'key') });
    expect(models.port?.defaultEngine()).toEqual({
      kind: 'model',
      profile: 'own',
      profile_version: '7',
      prompts_version: 'p1',
      price_version: 'own/1',
    });
    expect(models.port?.limits('own')).toEqual({
      in_flight: 2,
      per_minute: null,
      tokens_per_minute: null,
      wait_ms: 120_000,
    });
    const signal = new AbortController().signal;
    const result = await models.port!.open('own').call(requestOf({ max_output_tokens: 100 }), { signal });
    expect(result.text).toBe('pong');
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(() => models.port!.open('other')).toThrow(PlatformError);
  });

  it('[RO-06] a server on this machine needs no key; another address without one stays configured and says why', async () => {
    const server = await serve();
    const local = await open('own', await fileOf(profileText(`${server.url}/v1`)));
    const signal = new AbortController().signal;
    await local.models.port!.open('own').call(requestOf({ max_output_tokens: 100 }), { signal });
    expect(local.models.administration.view().models.find(({ is_default }) => is_default)).toMatchObject({
      profile: 'own',
      prices: null,
      problem: null,
    });
    const far = await open('own', await fileOf(profileText('https://models.example.org/v1')));
    expect(far.models.port?.defaultEngine().kind).toBe('model');
    expect(() => far.models.port!.open('own')).toThrow(/Set OWN_KEY, or OWN_KEY_FILE/);
    expect(far.models.administration.view().models.find(({ is_default }) => is_default)?.problem).toMatchObject({
      code: 'model.not_configured',
    });
    expect(far.logger.lines.join()).toContain('the configured model cannot be used');
  });

  it('[SC-01] no key is in what is shown, in an answer, a failure or a log', async () => {
    const server = await serve(401);
    const file = await fileOf(profileText(`${server.url}/v1`, PRICES));
    const { models, logger } = await open('own', file, { OWN_KEY: KEY });
    const host = await startGateway({ models: models.administration, logger });
    hosts.push(host);
    const list = await host.call('/api/v1/models');
    const probe = await host.call<{ ok: boolean; checks: { code: string }[] }>('/api/v1/models/own/probe', {
      method: 'POST',
    });
    expect(probe).toMatchObject({
      status: 200,
      body: { ok: false, problem: null, cost: { amounts: [], unknown: [] } },
    });
    expect(probe.body.checks.map(({ code }) => code)).toEqual(['model.unauthenticated']);
    const failed = await models
      .port!.open('own')
      .call(requestOf({ max_output_tokens: 100 }), { signal: new AbortController().signal })
      .catch((thrown: unknown) => JSON.stringify((thrown as PlatformError).failure));
    const everything = JSON.stringify([list.body, probe.body, failed, logger.lines]);
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain('OWN_KEY_FILE=');
  });

  it('[RO-06] a probe over HTTP tells what was found and what it cost; an unknown profile is not found', async () => {
    const server = await serve();
    const file = await fileOf(profileText(`${server.url}/v1`, PRICES));
    const { models } = await open('own', file);
    const host = await startGateway({ models: models.administration });
    hosts.push(host);
    const { status, body } = await host.call<{
      checks: { name: string; is_met: boolean }[];
      cost: { amounts: unknown[] };
    }>('/api/v1/models/own/probe', { method: 'POST' });
    expect(status).toBe(200);
    expect(body.checks.find(({ name }) => name === 'streaming')?.is_met).toBe(true);
    expect(body.cost.amounts).toMatchObject([{ currency: 'EUR' }]);
    expect((await host.call('/api/v1/models/nobody/probe', { method: 'POST' })).status).toBe(404);
    expect((await host.call('/api/v1/models/..%2f/probe', { method: 'POST' })).status).toBe(404);
    expect((await host.call('/api/v1/models', { as: 'stranger' })).status).toBe(401);
  });

  it('[RO-06] a name that no profile has, a bad file and bad settings are told when the process starts', async () => {
    await expect(open('nobody', null)).rejects.toThrow(/YUNSOU_MODEL is not usable: known profiles are .*local/);
    await expect(open('own', await fileOf('profiles: 3'))).rejects.toThrow(/expected a list under "profiles:"/);
    expect(() => readConfig({ YUNSOU_MODEL: 'Not A Name' }, {})).toThrow(/YUNSOU_MODEL is not usable/);
    expect(readConfig({ YUNSOU_MODEL: 'local' }, {}).model).toEqual({ profile: 'local', profilesFile: null });
  });

  it('[BU-01] the budget of a task is a setting; without one nothing may be spent', () => {
    const settingsOf = (environment: Record<string, string>) => specSettingsOf(readConfig(environment, {}));
    expect(settingsOf({})).toMatchObject({ cap_minor: '0', unknown_price_policy: 'block' });
    expect(settingsOf({ YUNSOU_BUDGET: '5.25 EUR' })).toMatchObject({ currency: 'EUR', cap_minor: '525' });
    expect(settingsOf({ YUNSOU_BUDGET: '700 JPY', YUNSOU_UNKNOWN_PRICE: 'approved_upper_bound' })).toMatchObject({
      cap_minor: '700',
      unknown_price_policy: 'approved_upper_bound',
    });
    for (const bad of ['5', '-5 USD', '5 usd', 'USD 5', '5 USD;'])
      expect(() => readConfig({ YUNSOU_BUDGET: bad }, {}), bad).toThrow(/YUNSOU_BUDGET is not usable/);
  });
});
