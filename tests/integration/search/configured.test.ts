import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlatformError } from '#contracts/errors.ts';
import { silentLogger } from '#contracts/ports/logger.ts';
import type { SearchUsage } from '#contracts/research/search.ts';
import { MemoryLibraryStore } from '#persistence/memory/library-store.ts';
import { readConfig } from '#runtime/main/config.ts';
import { openSearch } from '#runtime/main/search.ts';
import { readSecret } from '#runtime/main/secret.ts';
import { searchCall } from '#tests/support/fakes/search-call.ts';
import { searxngReply } from '#tests/support/fakes/vendors/search-engines.ts';
import { openVendor, type VendorServer } from '#tests/support/fakes/vendors/search-server.ts';

const KEY = 'sk-very-secret';

let vendor: VendorServer;
let folder: string;
let logged: unknown[];
let usage: SearchUsage[];
beforeEach(async () => {
  vendor = await openVendor();
  folder = await mkdtemp(join(tmpdir(), 'yunsou-key-'));
  logged = [];
  usage = [];
});
afterEach(async () => {
  await vendor.close();
  await rm(folder, { recursive: true, force: true });
});

function opened(environment: Readonly<Record<string, string>>) {
  const log = (...told: unknown[]): void => void logged.push(told);
  return openSearch({
    config: readConfig(environment, {}),
    environment,
    database: { library: new MemoryLibraryStore() },
    library: null,
    logger: { ...silentLogger, info: log, warn: log, error: log },
    onUsage: (one) => usage.push(one),
  });
}
const failing = async (environment: Readonly<Record<string, string>>): Promise<unknown> =>
  (await opened(environment)).search({ brief: 'x' }, searchCall()).catch((error: unknown) => error);
const codeOf = (thrown: unknown): string => (thrown instanceof PlatformError ? thrown.failure.code : 'none');

describe('the configured provider', () => {
  it('[SE-11] is the library when nothing is said', async () => {
    expect((await opened({})).provider).toBe('library');
  });

  it.each(['searxng', 'brave', 'openai', 'anthropic'])('[SE-02] is %s when it is named', async (name) => {
    expect((await opened({ YUNSOU_SEARCH: name })).provider).toBe(name);
  });

  it('[SE-02] answers through the address that was set, and its usage is told to the accounts', async () => {
    vendor.reply(searxngReply());
    const search = await opened({ YUNSOU_SEARCH: 'searxng', SEARXNG_URL: vendor.url });
    expect((await search.search({ brief: 'x' }, searchCall())).provider).toBe('searxng');
    expect(usage).toMatchObject([{ provider: 'searxng', call_id: 'call-1' }]);
  });

  it.each([
    ['searxng', {}, 'SEARXNG_URL'],
    ['brave', {}, 'BRAVE_API_KEY'],
    ['openai', { ANTHROPIC_API_KEY: KEY, BRAVE_API_KEY: KEY }, 'OPENAI_API_KEY'],
    ['anthropic', { OPENAI_API_KEY: KEY }, 'ANTHROPIC_API_KEY'],
  ])('[WS-03] %s without its own credential is unavailable and nobody steps in', async (name, others, missing) => {
    const thrown = await failing({ YUNSOU_SEARCH: name, ...others });
    expect(codeOf(thrown)).toBe('search.unavailable');
    expect(String(thrown)).toContain(missing);
    expect(JSON.stringify(logged)).toContain(missing);
    expect(String(thrown) + JSON.stringify(logged)).not.toContain(KEY);
  });

  it('[WS-03] a provider that does not answer is a failure and not an answer of the library', async () => {
    await vendor.close();
    expect(codeOf(await failing({ YUNSOU_SEARCH: 'searxng', SEARXNG_URL: vendor.url }))).toBe('search.request_failed');
    vendor = await openVendor();
  });

  it('[WS-02] another model needs its price, and is refused without one before anything is sent', async () => {
    const environment = { YUNSOU_SEARCH: 'openai', OPENAI_API_KEY: KEY, YUNSOU_SEARCH_MODEL: 'brand-new' };
    const thrown = await failing(environment);
    expect(codeOf(thrown)).toBe('search.unavailable');
    expect(String(thrown)).toContain('no registered price');
    expect(usage).toMatchObject([{ billing: 'none', model: 'brand-new' }]);
    expect(JSON.stringify([usage, logged])).not.toContain(KEY);
  });
});

describe('settings of search', () => {
  it('[OP-01] wrong ones are told by name and not repeated', () => {
    for (const [name, value] of [
      ['YUNSOU_SEARCH', 'google'],
      ['SEARXNG_URL', 'ftp://user:password@a.test'],
      ['YUNSOU_SEARCH_PRICE', '1/2'],
      ['YUNSOU_SEARCH_MODEL', 'a b'],
    ] as const) {
      expect(() => readConfig({ [name]: value }, {})).toThrow(name);
      expect(() => readConfig({ [name]: value }, {})).not.toThrow(value);
    }
    const { search } = readConfig({ YUNSOU_SEARCH_PRICE: '0.25/0.025/2/0.01' }, { search: 'openai' });
    expect(search).toMatchObject({ provider: 'openai', price: [0.25, 0.025, 2, 0.01] });
  });

  it('[SE-02] an address with a password in it is refused, because it would be in messages and logs', () => {
    expect(() => readConfig({ SEARXNG_URL: 'https://user:password@a.test' }, {})).toThrow('SEARXNG_URL');
  });

  it('[SE-02] a key comes from its variable or from its file, trimmed', async () => {
    const path = join(folder, 'key');
    await writeFile(path, `${KEY}\n`);
    expect(await readSecret('BRAVE_API_KEY', { BRAVE_API_KEY: ` ${KEY} ` })).toBe(KEY);
    expect(await readSecret('BRAVE_API_KEY', { BRAVE_API_KEY_FILE: path })).toBe(KEY);
    expect(await readSecret('BRAVE_API_KEY', {})).toBeNull();
  });

  it('[SE-02] a key that cannot be one is refused without being told', async () => {
    const path = join(folder, 'lines');
    await writeFile(path, `${KEY}\nx-other: header`);
    const empty = join(folder, 'empty');
    await writeFile(empty, '\n');
    for (const environment of [
      { BRAVE_API_KEY_FILE: path },
      { BRAVE_API_KEY_FILE: empty },
      { BRAVE_API_KEY_FILE: join(folder, 'missing') },
      { BRAVE_API_KEY: KEY, BRAVE_API_KEY_FILE: path },
    ]) {
      const thrown = await readSecret('BRAVE_API_KEY', environment).catch((error: unknown) => error);
      expect(codeOf(thrown)).toBe('config.invalid');
      expect(String(thrown)).not.toContain(KEY);
      expect(String(thrown)).not.toContain(folder);
    }
  });
});
