import { installedPrompts } from '#actors/roles/role-prompts.ts';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const root = new URL('../../', import.meta.url);

export const projectRoot = fileURLToPath(root);
export const helpDir = fileURLToPath(new URL('./help/pages/', import.meta.url));

export const productVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))).version;

/** Of all words that roles are told; part of the engine of every task. */
export const promptsVersion = installedPrompts().version;

/** Projects of an installation; this version has one. */
export const projects = ['default'];
