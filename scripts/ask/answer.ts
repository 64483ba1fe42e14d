import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MessageView } from '#contracts/actors/conversation.ts';
import type { TaskDetail } from '#contracts/http/tasks.ts';
import type { Citation } from '#contracts/research/answer.ts';
import { costInWords } from '#contracts/research/cost-words.ts';
import type { Api } from './api.ts';

type File = {
  readonly artifact_id: string;
  readonly revision: number;
  readonly name: string;
  readonly media_type: string;
  readonly sha256: string;
  readonly path: string;
};

/** The one object of `--json`. */
export type AskAnswer = {
  readonly task_id: string | null;
  readonly status: string;
  readonly mode: string;
  readonly language: string;
  readonly engine: string;
  /** The model that proposed; null when none had a part in it. */
  readonly engine_profile: TaskDetail['engine_profile'];
  readonly answer_markdown: string;
  readonly citations: readonly {
    readonly n: number;
    readonly quote: string;
    readonly start: number;
    readonly end: number;
    readonly evidence_id: string;
    readonly source: Omit<Citation['source'], 'language'>;
  }[];
  readonly gaps: TaskDetail['gaps'];
  readonly artifacts: readonly File[];
  /** `text` says in words what is certain and what is not. */
  readonly cost: TaskDetail['cost'] & { readonly text: string };
  readonly duration_ms: number;
};

export function assembleAnswer(
  message: MessageView,
  task: TaskDetail | null,
  rest: { mode: string; language: string; files: readonly File[]; durationMs: number },
): AskAnswer {
  const markdown = message.parts.flatMap((part) => (part.kind === 'text' ? [part.markdown] : [])).join('\n\n');
  const citations = message.parts.flatMap((part) => (part.kind === 'citation' ? part.citations : []));
  const cost = task?.cost ?? { currency: 'USD', settled_minor: '0', unknown_calls: 0 };
  return {
    task_id: task?.task_id ?? null,
    status: task?.status ?? 'answered',
    mode: task?.mode ?? rest.mode,
    language: task?.task_spec?.output.language ?? rest.language,
    engine: task?.engine ?? 'extractive',
    engine_profile: task?.engine_profile ?? null,
    answer_markdown: markdown,
    citations: citations.map(({ n, quote, start, end, evidence_id, source: { language: _language, ...source } }) => ({
      n,
      quote,
      start,
      end,
      evidence_id,
      source,
    })),
    gaps: task?.gaps ?? [],
    artifacts: rest.files,
    cost: { ...cost, text: costInWords(cost) },
    duration_ms: rest.durationMs,
  };
}

/** Writes each file of each sealed artifact below `folder/<artifact_id>`. */
export async function downloadArtifacts(api: Api, task: TaskDetail, folder: string): Promise<File[]> {
  const files: File[] = [];
  for (const { artifact_id } of task.artifacts) {
    const artifact = await api.artifact(artifact_id);
    const target = join(folder, artifact_id);
    await mkdir(target, { recursive: true });
    for (const { name, media_type, sha256 } of artifact.files) {
      const path = join(target, name);
      await writeFile(path, await api.file(artifact_id, name));
      files.push({ artifact_id, revision: artifact.revision, name, media_type, sha256, path });
    }
  }
  return files;
}

/** Markdown escapes keep page text from becoming markup; on a terminal they are only noise. */
const plainText = (markdown: string): string => markdown.trim().replace(/\\([\\`*_[\]<>#|~!.)+=-])/g, '$1');

function engineInWords({ engine, engine_profile: profile }: AskAnswer): string {
  if (engine === 'extractive')
    return 'No language model configured: extractive mode, every sentence is a quote or a table row.';
  const name = profile ? `${profile.name} (profile version ${profile.version})` : 'no longer named';
  return `Language model: ${name}; every sentence was checked against its quotes by rule.`;
}

export function printAnswer(answer: AskAnswer): string {
  const sources = answer.citations.map(
    ({ n, quote, source }) =>
      `[${n}] ${source.title} — ${source.url}\n    “${quote.replace(/\s+/g, ' ').slice(0, 300)}”`,
  );
  const first = answer.artifacts[0];
  return [
    plainText(answer.answer_markdown),
    ...(sources.length === 0 ? [] : ['', ...sources]),
    ...(answer.gaps.length === 0 ? [] : ['', ...answer.gaps.map(({ what, reason }) => `missing: ${what} (${reason})`)]),
    ...(answer.citations.length === 0 ? [] : ['', engineInWords(answer)]),
    ...(answer.cost.text === 'none' ? [] : ['', `cost: ${answer.cost.text}`]),
    ...(first === undefined ? [] : ['', `package: ${first.path.slice(0, -first.name.length - 1)}`]),
    '',
  ].join('\n');
}
