import { readFile } from 'node:fs/promises';
import { fail } from '#contracts/errors.ts';

const MAX_CHARS = 4096;

/**
 * A key from the variable `name`, or from the file that `name` with `_FILE` points to; null when neither is set. It is read here and
 * handed to the one part that needs it. Throws `config.invalid`, which names the variable and nothing else.
 */
export async function readSecret(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const value = environment[name]?.trim() ?? '';
  const path = environment[`${name}_FILE`]?.trim() ?? '';
  if (value !== '' && path !== '') return fail('config.invalid', `Set ${name} or ${name}_FILE, not both.`);
  const secret = path === '' ? value : await contentOf(path, name);
  if (secret === '') return null;
  if (secret.length <= MAX_CHARS && /^[\x21-\x7e]+$/u.test(secret)) return secret;
  return fail('config.invalid', `${name} does not look like a key: one line of printable characters.`);
}

async function contentOf(path: string, name: string): Promise<string> {
  // The cause would name the path, and more of the system than anybody needs.
  const text = await readFile(path, 'utf8').catch(() =>
    fail('config.invalid', `The file of ${name}_FILE cannot be read.`),
  );
  if (text.trim() === '') return fail('config.invalid', `The file of ${name}_FILE is empty.`);
  return text.trim();
}
