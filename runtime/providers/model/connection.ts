import { readFile } from 'node:fs/promises';
import { fail } from '#contracts/errors.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';

/** Where a model is reached. An empty key means that none is sent. */
export type Connection = { readonly baseUrl: string; readonly key: string };

type Environment = Readonly<Record<string, string | undefined>>;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const MAX_KEY_CHARS = 4096;

/**
 * Key and address of a profile's endpoint. The key comes from the variable that the profile names, or from the file that the same
 * name with `_FILE` points to. Only a server on this machine may do without. Throws `model.not_configured`.
 */
export async function readConnection(
  profile: ModelProfile,
  environment: Environment,
  baseUrl: string = profile.base_url,
): Promise<Connection> {
  const address = URL.parse(baseUrl);
  if (address === null || !/^https?:$/.test(address.protocol))
    return fail('model.not_configured', 'The address of a model endpoint starts with http:// or https://.');
  if (address.username !== '' || address.password !== '')
    return fail('model.not_configured', 'The address of a model endpoint holds no user name and no password.');
  const key = await readKey(profile.key_variable, environment);
  if (key === '' && !LOOPBACK.test(address.hostname)) {
    const { name, key_variable: variable } = profile;
    return fail('model.not_configured', `There is no key for ${name}. Set ${variable}, or ${variable}_FILE to a file.`);
  }
  return { baseUrl: address.href.replace(/\/+$/, ''), key };
}

async function readKey(variable: string, environment: Environment): Promise<string> {
  const value = environment[variable]?.trim() ?? '';
  const path = environment[`${variable}_FILE`] ?? '';
  const key = value !== '' || path === '' ? value : await readKeyFile(path, variable);
  if (key.length > MAX_KEY_CHARS || /[^\x21-\x7e]/.test(key))
    return fail('model.not_configured', `${variable} does not look like a key: one line of printable characters.`);
  return key;
}

async function readKeyFile(path: string, variable: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() =>
    // The cause would name the path once more, and more of the system than anybody needs.
    fail('model.not_configured', `The file that ${variable}_FILE names cannot be read.`),
  );
  if (text.trim() === '') return fail('model.not_configured', `The file that ${variable}_FILE names is empty.`);
  return text.trim();
}
