import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { fail } from '#contracts/errors.ts';
import { ModelProfile } from '#contracts/research/model-profile.ts';

const BUILT_IN = join(import.meta.dirname, 'profiles');

export type ProfileSet = ReadonlyMap<string, ModelProfile>;

/** The profiles that come along, one a file. A file of the user's (a list under `profiles:`) adds to them; of two with one name the user's counts. */
export async function readProfiles(userFile?: string): Promise<ProfileSet> {
  const files = (await readdir(BUILT_IN)).filter((name) => name.endsWith('.yaml')).sort();
  const builtIn = await Promise.all(files.map(async (name) => profileFrom(await readYaml(join(BUILT_IN, name)), name)));
  const own = userFile === undefined ? [] : await readUserFile(userFile);
  return new Map([...builtIn, ...own].map((profile) => [profile.name, profile]));
}

async function readUserFile(path: string): Promise<ModelProfile[]> {
  const name = basename(path);
  const content = await readYaml(path);
  const list: unknown = typeof content === 'object' && content !== null && 'profiles' in content && content.profiles;
  if (!Array.isArray(list)) return fail('config.invalid', `${name}: expected a list under "profiles:"`);
  const profiles = list.map((item: unknown, at) => profileFrom(item, `${name}, profile ${at + 1}`));
  if (new Set(profiles.map((profile) => profile.name)).size < profiles.length)
    return fail('config.invalid', `${name}: two profiles have the same name`);
  return profiles;
}

/** Throws `config.invalid` that says where in the file what was expected. */
export function profileFrom(content: unknown, where: string): ModelProfile {
  const parsed = ModelProfile.safeParse(content);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`);
  return fail('config.invalid', `${where}: ${issues.join('; ')}`);
}

async function readYaml(path: string): Promise<unknown> {
  const name = basename(path);
  const text = await readFile(path, 'utf8').catch((cause: unknown) =>
    fail('config.invalid', `The model profiles ${name} cannot be read.`, { cause }),
  );
  try {
    // Aliases are not needed here and can make a small file huge.
    return parse(text, { maxAliasCount: 0, uniqueKeys: true }) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : 'unknown reason';
    return fail('config.invalid', `${name} is not YAML: ${reason}`, { cause });
  }
}
