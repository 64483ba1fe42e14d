import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ProductProcess } from '#tests/support/product-process.ts';

type Ended = { readonly code: number | null; readonly output: string; readonly errors: string };

const folders: string[] = [];
const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'yunsou-start-'));
  chmodSync(folder, 0o755);
  folders.push(folder);
  return folder;
};

afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Runs a script of the product to its end. */
function run(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', `scripts/${script}.ts`, ...args], {
      env: { ...process.env, YUNSOU_DATA_DIR: freshFolder(), PORT: '0', ...environment },
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('exit', (code) => resolve({ code, output, errors }));
  });
}

const oneSentence = (errors: string): void => {
  expect(errors.trim().split('\n')).toHaveLength(1);
  expect(errors).not.toMatch(/\n\s+at /);
};

describe('bad configuration', () => {
  it.each([
    [{ DATABASE_URL: 'mysql://root:hush@localhost/x' }, /DATABASE_URL is not usable/],
    [{ DATABASE_URL: 'postgres://someone:hush@127.0.0.1:9/x' }, /127\.0\.0\.1:9/],
    [{ NATS_URL: 'http://someone:hush@127.0.0.1:9' }, /NATS_URL is not usable/],
    [{ YUNSOU_ROLE: 'worker,cook' }, /YUNSOU_ROLE is not usable: expected all, or some of web, worker, browser/],
    [{ YUNSOU_ROLE: 'worker', NATS_URL: 'nats://127.0.0.1:9' }, /worker needs DATABASE_URL and NATS_URL/],
    [{ PORT: '70000' }, /PORT is not usable/],
    [{ YUNSOU_LIBRARY: '/nowhere/at/all' }, /YUNSOU_LIBRARY is not usable/],
  ])(
    '[OP-01] %o ends in one clear sentence and exit code 1, without secrets',
    async (environment, expected) => {
      const { code, output, errors } = await run('start', [], environment);
      expect(code).toBe(1);
      expect(errors).toMatch(expected);
      oneSentence(errors);
      expect(output + errors).not.toContain('hush');
    },
    60_000,
  );

  it('[OP-01] a port that is taken is named, and nothing is left running', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as AddressInfo).port)),
    );
    const { code, errors } = await run('start', [], { PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(errors).toContain(String(port));
    oneSentence(errors);
  }, 60_000);

  it('[OP-01] a data folder that is a file is refused', async () => {
    const file = join(freshFolder(), 'data');
    writeFileSync(file, '');
    const { code, errors } = await run('start', [], { YUNSOU_DATA_DIR: file });
    expect(code).toBe(1);
    expect(errors).toContain('YUNSOU_DATA_DIR');
    oneSentence(errors);
  }, 60_000);

  it('[OP-01] an unknown option is refused with the known ones', async () => {
    const { code, errors } = await run('start', ['--prot', '1']);
    expect(code).toBe(1);
    expect(errors).toContain('--port');
  }, 60_000);

  it('[OP-01] a second start on the same data says which process holds it', async () => {
    const product = new ProductProcess();
    await product.start();
    const { code, errors } = await run('start', [], { YUNSOU_DATA_DIR: product.dataDir });
    await product.remove();
    expect(code).toBe(1);
    expect(errors).toMatch(/process \d+/);
    oneSentence(errors);
  }, 120_000);
});
