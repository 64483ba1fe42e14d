import { readFlags } from '#runtime/main/config.ts';

export type AskArguments = {
  readonly question: string;
  readonly mode: string;
  readonly library: string | null;
  readonly out: string | null;
  readonly isJson: boolean;
  /** Flags of the installation itself, such as --data. */
  readonly flags: Readonly<Record<string, string>>;
};

const MODES = ['smart', 'quick_search', 'research', 'dataset', 'hybrid'];

export const USAGE = `usage: npm run ask -- "question" [--mode ${MODES.join('|')}] [--library FOLDER] [--json] [--out FOLDER] [--data FOLDER]\n`;

/** Returns a sentence when the arguments make no sense. */
export function readAskArguments(args: readonly string[]): AskArguments | string {
  let parsed: ReturnType<typeof readFlags>;
  try {
    parsed = readFlags(args, ['json', 'help']);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message.replace(/^config\.invalid: /, '') : String(thrown);
  }
  const { json, help, mode = 'smart', library = null, out = null, ...flags } = parsed.flags;
  const question = parsed.rest.join(' ').trim();
  if (help !== undefined) return 'ask a question and get a cited answer';
  if (question === '') return 'a question is missing';
  if (!MODES.includes(mode)) return `unknown mode "${mode}"`;
  return { question, mode, library, out, isJson: json !== undefined, flags };
}
