import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import typescript from 'typescript';
import type { Mutation } from '../fleet/job.ts';
import type { Guard } from './guards.ts';

/** The module without the guard, as JavaScript. Throws when the guard is not found exactly once: the list is out of date. */
export function mutate({ id, file, text, replacement }: Guard): Mutation {
  const path = resolve(file);
  const source = readFileSync(path, 'utf8');
  const places = source.split(text).length - 1;
  if (places !== 1) throw new RangeError(`guard '${id}': its text is in ${file} ${places} times, not once`);
  const { outputText } = typescript.transpileModule(
    source.replace(text, () => replacement),
    {
      compilerOptions: {
        target: typescript.ScriptTarget.ES2023,
        module: typescript.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    },
  );
  return { url: pathToFileURL(path).href, source: outputText };
}
