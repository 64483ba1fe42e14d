import { createHash } from 'node:crypto';
import type { Proposal } from '#contracts/actors/role.ts';
import { canonicalJson } from '#contracts/canonical-json.ts';
import { fail } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { PlanningPort } from '#contracts/ports/planning.ts';
import type { ResearchReads, TaskReads } from '#contracts/ports/reads.ts';
import type { Assertion, Evidence } from '#contracts/research/evidence.ts';
import { judgeReuse } from '#contracts/research/reuse.ts';
import { reasonToSearch } from '#contracts/research/search-reason.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import type { Inherited, InheritInput } from './contract.ts';

const HOUR_MS = 3_600_000;
/** A question about what changes by the day is not answered with what was read yesterday. */
const FRESH_MS = 24 * HOUR_MS;
const LASTING_MS = 90 * 24 * HOUR_MS;

type Held = {
  readonly tasks: Pick<TaskReads, 'find'>;
  readonly research: ResearchReads;
  readonly planning: Pick<PlanningPort, 'parserVersion'>;
  readonly project: string;
  readonly now: string;
};

/** TK-06, SE-10: what the earlier task had committed and may still be used, with the reasons against the rest. */
export async function inheritFrom(input: InheritInput, held: Held): Promise<Inherited> {
  const { project, research } = held;
  const parent = await held.tasks.find(project, input.parent_task_id);
  if (parent === null) fail('resource.not_found', 'the task to go on from does not exist in this project');
  const [sources, evidence, assertions] = await Promise.all([
    research.sourcesOfTask(project, input.parent_task_id),
    research.evidenceOfTask(project, input.parent_task_id),
    research.assertionsOfTask(project, input.parent_task_id),
  ]);
  const judged = sources.map((source) => ({ source, verdict: judge(source, input.questions, held) }));
  const usable = new Set(
    judged.flatMap(({ verdict, source }) => ('revision' in verdict ? source.source_revision_id : [])),
  );
  return {
    continuation: {
      task_id: input.parent_task_id,
      gap_fingerprint: fingerprint(parent.gaps),
      reused: judged
        .filter(({ source }) => usable.has(source.source_revision_id))
        .map(({ source: { source_revision_id, requested_url, retrieved_time } }) => ({
          source_revision_id,
          url: requested_url,
          retrieved_time,
        })),
      refused: judged.flatMap(({ source, verdict }) =>
        'obstacles' in verdict
          ? [{ source_revision_id: source.source_revision_id, obstacles: [...verdict.obstacles] }]
          : [],
      ),
    },
    answers: answersOf(assertions, evidence, usable),
  };
}

function judge(revision: SourceRevision, questions: readonly string[], { project, planning, now }: Held) {
  const isFresh = questions.some((question) => reasonToSearch(question) === 'fresh');
  const not_before = new Date(Date.parse(now) - (isFresh ? FRESH_MS : LASTING_MS)).toISOString();
  return judgeReuse(
    { project, revision, usable_until: null, purposes: null, is_private: false },
    { project, now, not_before, parser_version: planning.parserVersion, purpose: 'research' },
  );
}

/** The same gaps again are the same continuation. */
function fingerprint(gaps: readonly { readonly what: string; readonly reason: string }[]): string {
  const sorted = gaps.map(({ what, reason }) => canonicalJson({ what, reason })).sort();
  return createHash('sha256')
    .update(canonicalJson(sorted as Json))
    .digest('hex');
}

function answersOf(
  assertions: readonly Assertion[],
  evidence: readonly Evidence[],
  usable: ReadonlySet<string>,
): Inherited['answers'] {
  const byId = new Map(evidence.map((item) => [item.evidence_id, item]));
  const answers = new Map<string, Proposal[]>();
  for (const { answers: question, text, evidence_ids, status, position } of assertions) {
    const item = byId.get(evidence_ids[0] ?? '');
    if (item === undefined || !usable.has(item.source_revision_id)) continue;
    if (status !== 'verified' && status !== 'conflicting') continue;
    const { source_revision_id, start, end, quote, anchor } = item;
    const proposal = {
      source_revision_id,
      start,
      end,
      quote,
      anchor,
      claim: text,
      score: -position,
      why: 'found before',
    };
    answers.set(question, [...(answers.get(question) ?? []), proposal]);
  }
  return [...answers].map(([question, proposals]) => ({ question, proposals }));
}
