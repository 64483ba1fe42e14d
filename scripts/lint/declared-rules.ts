import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSourceFiles } from './source-files.ts';

export type DeclaredRule = {
  readonly id: string;
  readonly path: string;
  /** Rules of the specification, of ports and of machines; the other headers only may be named. */
  readonly needsTest: boolean;
};

/** `//   T1  A plan …` or ` *   AS1  …` in a header. */
const HEADER_RULE = /^\s*(?:\/\/|\*)\s{2,}([A-Z]{1,3}-?\d{1,3}[a-z]?)\s{1,}\S/;
/** `- **MB-01** …`, `| MB-01 | …`, `### MB-01 …`, `MB-01 …` at the start of a line in Markdown. */
const MARKDOWN_RULE = /^(?:[-*|>#]+\s*)?(?:\*\*|`)?([A-Z]{1,3}-?\d{1,3}[a-z]?)(?:\*\*|`)?(?=[\s|:.—–-])/;

const NEEDS_TEST = /^(?:contracts\/ports\/|actors\/.*machine\.ts$)/;

function readRules(root: string, path: string, pattern: RegExp, needsTest: boolean): DeclaredRule[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  const ids = lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
  return [...new Set(ids)].map((id) => ({ id, path, needsTest }));
}

/** Every rule that the project states about itself, with the file that states it. */
export function readDeclaredRules(root: string): DeclaredRule[] {
  const sources = listSourceFiles(root, /\.(?:ts|mts|mjs)$/).filter((path) => !path.endsWith('.test.ts'));
  const headers = sources.flatMap((path) => readRules(root, path, HEADER_RULE, NEEDS_TEST.test(path)));
  const specs = listSourceFiles(root, /\/SPEC\.md$/).flatMap((path) => readRules(root, path, MARKDOWN_RULE, true));
  return [...specs, ...headers];
}

/** Ids of the catalogue in tests/requirements.md; they may be named, and later work adds their tests. */
export function readRequirementIds(root: string): string[] {
  const path = join(root, 'tests', 'requirements.md');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => MARKDOWN_RULE.exec(line)?.[1] ?? []);
}
