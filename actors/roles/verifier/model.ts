import * as z from 'zod';
import { modelPart, note } from '../role-model.ts';
import { groupConflicts } from './conflicts.ts';
import { judgeProposals } from './judge-proposals.ts';

const Answer = z.strictObject({
  verdicts: z
    .array(
      z.strictObject({
        proposal: z.string(),
        verdict: z.enum(['supports', 'contradicts', 'unrelated']),
        reason: z.string().max(300),
      }),
    )
    .max(100),
  /** Proposals that cannot all be true. */
  conflicts: z.array(z.array(z.string()).max(20)).max(20),
});

/**
 * Judges what has passed the checks by rule. It can only take away: a proposal that failed a rule stays out whatever it says,
 * and nothing that was not proposed can be let in. Conflicts that the rules found stay conflicts.
 */
export const verifierModel = modelPart({
  role: 'verifier',
  schema: Answer,
  schemaVersion: 1,
  reasoning: 'low',
  maxOutputTokens: 6000,
  asks: (task, { sources }) => judgeProposals(task.proposals, sources).accepted.length > 0,
  brief: (task, { sources }) => ({
    payload: { question: task.question },
    items: judgeProposals(task.proposals, sources).accepted.map(({ claim, quote, anchor }, index) => ({
      key: `P${index + 1}`,
      id: String(index),
      head: [`Claim: ${claim}`, ...[anchor.heading_path.join(' › ')].filter((path) => path !== ''), 'Quote:'].join(
        '\n',
      ),
      text: anchor.table === undefined ? quote : `${anchor.table.header}\n${quote}`,
    })),
  }),
  judge: (answer, { task, materials, shown }) => {
    const { accepted, rejected } = judgeProposals(task.proposals, materials.sources);
    const verdicts = new Map(answer.verdicts.map((one) => [shown.get(one.proposal), one]));
    const notes = answer.verdicts
      .filter(({ proposal }) => !shown.has(proposal))
      .map(({ proposal }) => note(proposal, 'names no proposal that was shown'));
    const kept = accepted.flatMap((proposal, index) => {
      const found = verdicts.get(String(index));
      if (found?.verdict === 'supports') return [{ proposal, key: found.proposal }];
      const reason =
        found === undefined ? 'the verifier gave no verdict' : `the verifier: ${found.verdict}. ${found.reason}`.trim();
      rejected.push({ quote: proposal.quote.slice(0, 200), reason });
      return [];
    });
    const groups = joinGroups(
      groupConflicts(kept.map(({ proposal }) => proposal)),
      answer.conflicts.map((keys) => kept.flatMap(({ key }, index) => (keys.includes(key) ? [index] : []))),
    );
    return {
      kind: 'accepted',
      output: {
        role: 'verifier',
        accepted: kept.map(({ proposal }, index) => {
          const group = groups[index] ?? null;
          return { proposal, status: group === null ? 'verified' : 'conflicting', group };
        }),
        rejected,
        conflicts: new Set(groups.filter((group) => group !== null)).size,
      },
      notes: [...notes, ...rejected.map(({ quote, reason }) => note(quote, reason))],
    };
  },
});

/** Groups of the rules, joined by those of the model; numbered anew from 0. */
function joinGroups(byRule: readonly (number | null)[], named: readonly (readonly number[])[]): (number | null)[] {
  const groups = byRule.map((group) => group);
  let next = 1 + Math.max(-1, ...groups.map((group) => group ?? -1));
  for (const members of named) {
    if (members.length < 2) continue;
    const touched = new Set(members.map((index) => groups[index]).filter((group) => group !== null));
    groups.forEach((group, index) => {
      if (members.includes(index) || (group !== null && touched.has(group))) groups[index] = next;
    });
    next += 1;
  }
  const numbers = new Map<number, number>();
  return groups.map((group) => {
    if (group === null) return null;
    if (!numbers.has(group)) numbers.set(group, numbers.size);
    return numbers.get(group) ?? null;
  });
}
