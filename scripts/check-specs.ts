// Check of rule ids
//
// Owns:     the correspondence between stated rules, requirement ids and test titles.
// Owns not: whether a test proves what its title says.
//
//   SP1  A title without an id, or with an id that nothing states, is refused.
//   SP2  A rule of a SPEC.md, of a port or of a machine that no title names is refused.
//   SP3  Two such rules do not share an id, unless one of them is a header that repeats its SPEC.md.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readDeclaredRules, readRequirementIds, type DeclaredRule } from './lint/declared-rules.ts';
import { listSourceFiles } from './lint/source-files.ts';
import { readTestTitles } from './lint/test-titles.ts';

export type SpecReport = {
  readonly problems: readonly string[];
  readonly titles: number;
  readonly rules: number;
  readonly requirements: { readonly known: number; readonly named: number };
};

function findAmbiguous(rules: readonly DeclaredRule[]): string[] {
  const stated = new Map<string, string>();
  const problems: string[] = [];
  for (const { id, path, needsTest } of rules) {
    if (!needsTest) continue;
    const first = stated.get(id);
    if (first !== undefined && !first.endsWith('SPEC.md'))
      problems.push(`${path}: ${id} is already stated in ${first}`);
    if (first === undefined) stated.set(id, path);
  }
  return problems;
}

function readTitles(root: string) {
  const paths = listSourceFiles(root, /^tests\/.*\.ts$/);
  return paths.flatMap((path) =>
    readTestTitles(path, readFileSync(join(root, path), 'utf8')).map((title) => ({ ...title, path })),
  );
}

export function checkSpecs(root: string): SpecReport {
  const rules = readDeclaredRules(root);
  const requirements = new Set(readRequirementIds(root));
  const stated = new Set([...rules.map((rule) => rule.id), ...requirements]);
  const titles = readTitles(root);
  const named = new Set(titles.flatMap((title) => title.ids));

  const problems = titles.flatMap(({ path, line, title, ids }) => {
    if (ids.length === 0) return [`${path}:${line}: the title starts with no id in brackets: ${title}`];
    return ids.filter((id) => !stated.has(id)).map((id) => `${path}:${line}: nothing states ${id}: ${title}`);
  });
  const untested = rules.filter((rule) => rule.needsTest && !named.has(rule.id));
  problems.push(...untested.map(({ id, path }) => `${path}: no test title names ${id}`), ...findAmbiguous(rules));
  const namedRequirements = [...requirements].filter((id) => named.has(id)).length;
  return {
    problems,
    titles: titles.length,
    rules: rules.length,
    requirements: { known: requirements.size, named: namedRequirements },
  };
}

function main(): void {
  const { problems, titles, rules, requirements } = checkSpecs(resolve(process.argv[2] ?? '.'));
  for (const problem of problems) console.log(problem);
  console.log(
    `${titles} test titles, ${rules} stated rules, ${requirements.named} of ${requirements.known} requirements named, ` +
      `${problems.length} problems`,
  );
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) main();
