import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RoleName } from '#contracts/actors/role.ts';
import { fail } from '#contracts/errors.ts';

/** The words a role is told, and their version: the number its file states, and a hash, so that no other text passes as it. */
export type Prompt = { readonly text: string; readonly version: string };

export type Prompts = {
  /** Of all of them together; part of the engine that a task is frozen with. */
  readonly version: string;
  readonly of: (role: RoleName) => Prompt;
};

const hash = (text: string, length: number): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').slice(0, length);

/** The prompts of this installation: `prompt.md` for all roles, and one in the folder of each. */
export function readPrompts(folder = import.meta.dirname): Prompts {
  const common = readPrompt(join(folder, 'prompt.md'));
  const prompts = new Map(
    RoleName.options.map((role): [RoleName, Prompt] => {
      const own = readPrompt(join(folder, role.replaceAll('_', '-'), 'prompt.md'));
      const text = `${common.text}\n\n${own.text}`;
      return [role, { text, version: `${role}/${common.number}.${own.number}+${hash(text, 12)}` }];
    }),
  );
  return {
    version: hash(JSON.stringify([...prompts.values()].map(({ version }) => version)), 16),
    of: (role) => prompts.get(role) ?? fail('config.invalid', `there is no prompt for ${role}`),
  };
}

function readPrompt(path: string): { readonly number: string; readonly text: string } {
  const [, number, text] = /^version: (\d+)\n\n([\s\S]+)$/u.exec(readFileSync(path, 'utf8')) ?? [];
  if (number === undefined || text === undefined)
    return fail('config.invalid', `${path} does not begin with its version`);
  return { number, text: text.trim() };
}

let installed: Prompts | null = null;

/** Read once: the files are part of the program. */
export function installedPrompts(): Prompts {
  installed ??= readPrompts();
  return installed;
}
