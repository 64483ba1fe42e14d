import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { proposeExtractively } from '#actors/roles/role-catalogue.ts';
import { canonicalJson } from '#contracts/canonical-json.ts';
import { RoleOutput } from '#contracts/actors/role.ts';
import { fail, PlatformError } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import { statesEveryOrigin } from '#contracts/research/spec-origins.ts';
import { TaskSpec } from '#contracts/research/task-spec.ts';
import { detectLanguage } from '#contracts/text/language.ts';

/** One request a line, as people typed it. */
const RequestLine = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  language: z.string().optional(),
  prompt: z.string().min(1),
});
export type RequestLine = z.infer<typeof RequestLine>;

export type Compiled = {
  readonly id: string;
  readonly language: string | null;
  /** What is wrong with it; empty when it is a contract that could be frozen. */
  readonly problems: readonly string[];
  readonly spec: TaskSpec | null;
  readonly clarifications: number;
  readonly milliseconds: number;
};

const MAX_QUESTIONS = 8;
const ASKED = '2026-01-01T00:00:00.000Z';

export async function readRequests(path: string): Promise<RequestLine[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) =>
    fail('config.invalid', `Cannot read ${path}.`, { cause }),
  );
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const parsed = RequestLine.safeParse(parseJson(line));
    if (!parsed.success) return fail('config.invalid', `Line ${index + 1} of ${path} is no request with a prompt.`);
    return parsed.data;
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

/** The request compiled as a task in smart mode would be, and looked at as the freezing of its plan would. */
export function compileRequest({ id, language, prompt }: RequestLine): Compiled {
  const begun = performance.now();
  const detected = detectLanguage(prompt) === 'zh-CN' ? 'zh-CN' : 'en';
  const materials = { sources: [], evidence: [], assertions: [] };
  const ask = { role: 'requirement_compiler', text: prompt, mode: 'smart', asked_time: ASKED } as const;
  const output = RoleOutput.safeParse(proposeExtractively(ask, materials, detected));
  const milliseconds = performance.now() - begun;
  const about = { id, language: language ?? null, milliseconds };
  if (!output.success || output.data.role !== 'requirement_compiler') {
    return { ...about, problems: [output.error?.message ?? 'another role answered'], spec: null, clarifications: 0 };
  }
  const { task_spec: spec, origins, clarifications } = output.data;
  const problems: string[] = [];
  if (!TaskSpec.safeParse(JSON.parse(canonicalJson(spec as Json))).success) problems.push('does not survive freezing');
  if (!statesEveryOrigin(spec, origins)) problems.push('a value has no origin');
  if (spec.requirement_text !== prompt) problems.push('the words of the request were changed');
  if (spec.scope.questions.length > MAX_QUESTIONS) problems.push(`more than ${MAX_QUESTIONS} questions`);
  return { ...about, problems, spec, clarifications: clarifications.length };
}

export function matchesLanguage({ language, spec }: Compiled): boolean {
  if (language === null || spec === null) return language === null;
  return spec.output.language === (language.startsWith('zh') ? 'zh-CN' : language);
}

function countModes(compiled: readonly Compiled[]): Record<string, number> {
  const modes: Record<string, number> = { quick_search: 0, research: 0, dataset: 0, hybrid: 0 };
  for (const { spec } of compiled) if (spec !== null) modes[spec.mode] = (modes[spec.mode] ?? 0) + 1;
  return modes;
}

export async function runSpecs(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const requests = await readRequests(options.requests);
  const begun = performance.now();
  const compiled = requests.map(compileRequest);
  const seconds = Math.round(performance.now() - begun) / 1000;
  if (options.show) for (const one of compiled) process.stderr.write(`${describe(one)}\n`);
  const report = {
    requests: compiled.length,
    valid: compiled.filter(({ problems }) => problems.length === 0).length,
    language_match: compiled.filter(matchesLanguage).length,
    modes: countModes(compiled),
    seconds,
  };
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : tableOf(report, compiled));
  return report.valid === report.requests ? 0 : 1;
}

function readOptions(args: readonly string[]): { requests: string; json: boolean; show: boolean } {
  const usage = 'usage: npm run bench -- specs --requests FILE [--json] [--show]';
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { requests: { type: 'string' }, json: { type: 'boolean' }, show: { type: 'boolean' } },
    });
    const { requests, json = false, show = false } = values;
    return requests === undefined ? fail('config.invalid', usage) : { requests, json, show };
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    return fail('config.invalid', usage, { cause: error });
  }
}

function describe({ id, spec, problems, clarifications }: Compiled): string {
  if (spec === null) return `#${id} ${problems.join('; ')}`;
  const { scope, output, mode } = spec;
  const rest = Object.entries({ ...scope, fields: output.fields.map(({ name }) => name) })
    .filter(([name, value]) => name !== 'questions' && name !== 'max_candidates' && value !== null && !isEmpty(value))
    .map(([name, value]) => `   ${name}: ${JSON.stringify(value)}`);
  const head = `#${id} ${mode} ${output.language}${clarifications > 0 ? ` asks ${clarifications}` : ''} ${problems.join('; ')}`;
  return [head, ...scope.questions.map((question) => `   ? ${question}`), ...rest].join('\n');
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

type Report = {
  requests: number;
  valid: number;
  language_match: number;
  modes: Record<string, number>;
  seconds: number;
};

function tableOf(report: Report, compiled: readonly Compiled[]): string {
  const times = compiled.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const questions = compiled.map(({ spec }) => spec?.scope.questions.length ?? 0);
  const rows: readonly (readonly [string, string])[] = [
    ['requests', String(report.requests)],
    ['valid', String(report.valid)],
    ['in the language of the request', String(report.language_match)],
    ...Object.entries(report.modes).map(([mode, count]) => [`mode ${mode}`, String(count)] as const),
    ['that ask something back', String(compiled.filter(({ clarifications }) => clarifications > 0).length)],
    ['questions per request', `${Math.min(...questions)} to ${Math.max(...questions)}`],
    ['median milliseconds', (times[Math.floor(times.length / 2)] ?? 0).toFixed(2)],
    ['seconds in all', report.seconds.toFixed(3)],
  ];
  const failed = compiled.filter(({ problems }) => problems.length > 0);
  const lines = rows.map(([name, value]) => `${name.padEnd(32)} ${value}`);
  return `${[...lines, ...failed.map(({ id, problems }) => `#${id}: ${problems.join('; ')}`)].join('\n')}\n`;
}
