import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '#contracts/errors.ts';

const SECRET = /^[A-Za-z0-9_-]{43,200}$/;

/**
 * Reads a secret of 256 random bits from a file that only its owner may read (0600), and makes the file when it is missing.
 * Two processes that start at once end up with the same secret. Throws `config.invalid` for an unreadable or damaged file.
 */
export async function readOrCreateSecret(path: string): Promise<string> {
  return (await readSecret(path)) ?? (await createSecret(path));
}

async function readSecret(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (isMissing(cause)) return null;
    return fail('config.invalid', `the secret file ${path} cannot be read`, { cause });
  });
  if (text === null) return null;
  const secret = text.trim();
  if (!SECRET.test(secret))
    fail('config.invalid', `the secret file ${path} is damaged; delete it to have a new one made`);
  await chmod(path, 0o600);
  return secret;
}

async function createSecret(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link either makes the whole file appear or fails because another process was first.
    await link(draft, path).catch((cause: unknown) => {
      if (!isTaken(cause)) throw cause;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await readSecret(path)) ?? fail('config.invalid', `the secret file ${path} vanished while it was made`);
}

const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined);
const isMissing = (thrown: unknown): boolean => codeOf(thrown) === 'ENOENT';
const isTaken = (thrown: unknown): boolean => codeOf(thrown) === 'EEXIST';
