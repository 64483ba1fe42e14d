import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlatformError, type Failure } from '#contracts/errors.ts';
import { readConnection } from '#runtime/providers/model/connection.ts';
import { readProfiles } from '#runtime/providers/model/profiles.ts';
import { KEY, profileFor, WIRES } from '#tests/support/fakes/vendors/model-harness.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'models-'))));
afterEach(() => rm(folder, { recursive: true }));

const sample = profileFor(WIRES[2]!);
const FAR = 'https://models.example/v1';

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    if (error instanceof PlatformError) return error.failure;
    throw error;
  }
  throw new TypeError('it did not fail');
}

async function fileOf(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

describe('connection', () => {
  it('[MO6] the key comes from the variable, or from the file that its neighbour names', async () => {
    expect(await readConnection(sample, { SAMPLE_KEY: ` ${KEY} ` }, `${FAR}/`)).toEqual({ baseUrl: FAR, key: KEY });
    const path = await fileOf('key', `${KEY}\n`);
    expect(await readConnection(sample, { SAMPLE_KEY_FILE: path }, FAR)).toEqual({ baseUrl: FAR, key: KEY });
  });

  it('[MO6] without a key only a server on this machine is asked; the sentence says what to set', async () => {
    for (const base of ['http://127.0.0.1:8080/v1', 'http://localhost:1', 'http://[::1]:2']) {
      expect((await readConnection(sample, {}, base)).key).toBe('');
    }
    for (const base of [FAR, 'http://127.0.0.1.example/v1', 'http://localhost.example']) {
      const failure = await failureOf(readConnection(sample, {}, base));
      expect(failure).toMatchObject({ code: 'model.not_configured' });
      expect(failure.message).toContain('Set SAMPLE_KEY, or SAMPLE_KEY_FILE');
    }
  });

  it('[MO6] what is wrong with a key or an address is said without repeating it', async () => {
    const empty = await fileOf('empty', '\n');
    const rows = [
      [{ SAMPLE_KEY: `${KEY}\nInjected: header` }, FAR],
      [{ SAMPLE_KEY_FILE: join(folder, 'nowhere') }, FAR],
      [{ SAMPLE_KEY_FILE: empty }, FAR],
      [{ SAMPLE_KEY: KEY }, `https://user:${KEY}@models.example`],
      [{ SAMPLE_KEY: KEY }, 'ftp://models.example'],
    ] as const;
    for (const [environment, base] of rows) {
      const failure = await failureOf(readConnection(sample, environment, base));
      expect(failure.code).toBe('model.not_configured');
      expect(failure.message).not.toContain(KEY);
      expect(failure.message).not.toContain(folder);
    }
  });
});

describe('profile files', () => {
  it('[MO8] the profiles that come along are sound, each with a price list or openly without', async () => {
    const profiles = await readProfiles();
    expect([...profiles.keys()]).toEqual(['claude-haiku-4-5', 'claude-sonnet-5-5', 'gpt-5-mini', 'local']);
    expect(new Set([...profiles.values()].map(({ protocol }) => protocol)).size).toBe(3);
    expect(profiles.get('local')?.prices?.per_million).toMatchObject({ input: '0', output: '0' });
    expect(profiles.get('claude-haiku-4-5')?.prices?.per_million.output).toBe('5');
  });

  it('[MO8] a file of the user adds profiles, and replaces one of the same name', async () => {
    const own = (name: string, window: number): string => JSON.stringify({ ...sample, name, context_window: window });
    const path = await fileOf('own.yaml', `profiles:\n  - ${own('mine', 50_000)}\n  - ${own('local', 32_000)}\n`);
    const profiles = await readProfiles(path);
    expect(profiles.size).toBe(5);
    expect(profiles.get('local')?.context_window).toBe(32_000);
  });

  it('[MO8] a file that is no YAML, has aliases, one name twice or no list is refused with its name', async () => {
    const line = JSON.stringify(sample);
    for (const text of [
      'profiles: [',
      `a: &a [1]\nprofiles: *a`,
      'profile: 1',
      `profiles: [${line}, ${line}]`,
      'profiles: [1]',
    ]) {
      const path = await fileOf('own.yaml', text);
      const failure = await failureOf(readProfiles(path));
      expect(failure.code).toBe('config.invalid');
      expect(failure.message).toContain('own.yaml');
    }
    expect((await failureOf(readProfiles(join(folder, 'none.yaml')))).code).toBe('config.invalid');
  });
});
