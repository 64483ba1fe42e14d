import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProbe } from '#scripts/cli/probe.ts';
import { KEY, profileFor, WIRES, type ProfileChange } from '#tests/support/fakes/vendors/model-harness.ts';
import { ModelServer, type Reply, type SeenRequest } from '#tests/support/fakes/vendors/model-server.ts';
import type { Wire } from '#tests/support/fakes/vendors/wire.ts';

let folder: string;
let server: ModelServer | undefined;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'probe-'))));
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true });
});

const PRICES = {
  currency: 'USD',
  version: 'v',
  date: '2026-01-01',
  per_million: { input: '1', cached_input: '1', output: '5' },
};
const call = (id: string, name: string, value: object) => ({ id, name, json: JSON.stringify(value) });

/** A model that can do everything, one call at a time or two. */
function capable(wire: Wire, parallel = 2): (request: SeenRequest) => Reply {
  return ({ body }) => {
    const text = JSON.stringify(body);
    if (text.includes('"weather"')) {
      const cities = ['Paris', 'Tokyo'].slice(0, parallel);
      return { frames: wire.frames({ calls: cities.map((city) => call(city, 'weather', { city })) }) };
    }
    if (/"tool_result"|"function_call_output"|"role":"tool"/.test(text))
      return { frames: wire.frames({ text: 'Five.' }) };
    if (text.includes('Adds two numbers'))
      return { frames: wire.frames({ calls: [call('c1', 'add', { a: 2, b: 3 })] }) };
    return { frames: wire.frames({ text: text.includes('json_schema') ? '{"sum": 5}' : 'pong' }) };
  };
}

async function probe(
  wire: Wire,
  answer: (request: SeenRequest) => Reply,
  change: ProfileChange = {},
  more: string[] = [],
) {
  server = await ModelServer.start(answer);
  const profile = { ...profileFor(wire, { name: 'mine', prices: PRICES, ...change }) };
  const path = join(folder, 'own.yaml');
  await writeFile(path, `profiles: [${JSON.stringify(profile)}]`);
  const said = { out: '', err: '' };
  const code = await runProbe(['mine', '--profiles', path, '--base-url', server.url, ...more], {
    environment: { SAMPLE_KEY: KEY },
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
  });
  return { code, ...said };
}

describe.each(WIRES)('probe of $protocol', (wire) => {
  it('[MO8] a profile that says what the endpoint does passes, with the price of the probe', async () => {
    const { code, out, err } = await probe(wire, capable(wire));
    expect(err).toBe('');
    expect(out).toContain('The endpoint does what the profile says.');
    expect(out.match(/^ok /gm)).toHaveLength(7);
    expect(out).toContain('reported as reported-model');
    // Six calls of 120 tokens in and 30 out: 0.162 cents.
    expect(out).toContain('cost 0.162 USD');
    expect(out).not.toContain(KEY);
    expect(code).toBe(0);
  });

  it('[MO8] a profile that promises more, or less, than the endpoint does is told', async () => {
    const less = await probe(wire, capable(wire, 1));
    expect(less.out).toMatch(/^NO {2}parallel tools +two calls at once +1 at once$/m);
    expect(less.code).toBe(1);
    await server?.stop();
    const more = await probe(wire, capable(wire, 2), { parallel_tools: false });
    expect(more.out).toMatch(/^NO {2}parallel tools +one call at a time +model\.response_invalid/m);
    expect(more.out).toContain('1 of 7 checks differ.');
    expect(more.code).toBe(1);
  });

  it('[MO8] a wrong key ends the probe at once, and no price is not for free', async () => {
    const wrong = await probe(wire, () => ({ status: 401, json: wire.error('authentication_error', KEY) }), {}, [
      '--json',
    ]);
    expect(JSON.parse(wrong.out)).toMatchObject({ checks: [{ name: 'streaming', isMet: false }], usages: [] });
    expect(wrong.out).not.toContain(KEY);
    expect(wrong.code).toBe(1);
    expect(server?.seen).toHaveLength(1);
    await server?.stop();
    const free = await probe(wire, capable(wire), { prices: undefined });
    expect(free.out).toContain('cost unknown (price)');
  });
});

describe('probe from the command line', () => {
  it('[MO6] without a key it says in one sentence what to set', async () => {
    const environment = { PATH: process.env['PATH'] };
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/cli.ts', 'probe', 'gpt-5-mini'], {
      env: environment,
    });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(err).toBe('There is no key for gpt-5-mini. Set OPENAI_API_KEY, or OPENAI_API_KEY_FILE to a file.\n');
    expect(code).toBe(1);
  });

  it('[MO8] a model without a profile and a wrong command line are told apart', async () => {
    const said: string[] = [];
    const world = {
      environment: {},
      out: (text: string) => void said.push(text),
      err: (text: string) => void said.push(text),
    };
    expect(await runProbe(['gpt-99'], world)).toBe(1);
    expect(said.join('')).toContain('Known are claude-haiku-4-5');
    expect(await runProbe([], world)).toBe(2);
    expect(await runProbe(['local', '--verbose'], world)).toBe(2);
  });
});
