// New actor
//
// Owns:     the file set of an actor that works as it is written.
// Owns not: its place in the catalogue, its ports in runtime/main.
//
//   NA1  What is written passes every check and its own tests.
//   NA2  Nothing is written over an existing file, and nothing at all when one exists.
//   NA3  A kind that cannot stand in an address is refused.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import * as prettier from 'prettier';
import { actorFiles } from './new-actor/actor-files.ts';
import { nameActor } from './new-actor/actor-names.ts';

const USAGE = 'usage: npm run new-actor -- price-watch [--rules PW]';

/** Writes nothing when any of the files exists. Throws a RangeError that says what is wrong with the wish. */
export async function writeActor(root: string, kind: string, rules?: string): Promise<string[]> {
  const files = actorFiles(nameActor(kind, rules));
  const taken = files.find(({ path }) => existsSync(join(root, path)));
  if (taken) throw new RangeError(`${taken.path} exists already; nothing was written`);
  const options = { printWidth: 120, singleQuote: true, trailingComma: 'all', parser: 'typescript' } as const;
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), await prettier.format(text, options));
  }
  return files.map(({ path }) => path);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { rules: { type: 'string' } } });
  const kind = positionals[0];
  if (kind === undefined || positionals.length > 1) throw new RangeError(USAGE);
  const written = await writeActor(process.cwd(), kind, values.rules);
  for (const path of written) console.log(`wrote ${path}`);
  console.log(
    `\nNext: add the actor to actors/catalogue.ts and its ports to runtime/main; then say in machine.ts what it is.`,
  );
  console.log(`Try it: npx vitest run --project contract tests/contract/actors/${kind}.test.ts`);
}

if (process.argv[1] === import.meta.filename) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
