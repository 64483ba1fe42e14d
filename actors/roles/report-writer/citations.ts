import type { Citation } from '#contracts/research/answer.ts';
import type { Assertion } from '#contracts/research/evidence.ts';
import type { Materials } from '../role-definition.ts';

/** Numbers the evidence in the order in which sentences use it; one number per located quote. */
export function numberCitations(
  order: readonly Assertion[],
  { evidence, sources }: Materials,
): { citations: Citation[]; numbersOf: (assertion: Assertion) => readonly number[] } {
  const evidenceById = new Map(evidence.map((item) => [item.evidence_id, item]));
  const sourceById = new Map(sources.map((source) => [source.source_revision_id, source]));
  const numberById = new Map<string, number>();
  const citations: Citation[] = [];
  for (const id of order.flatMap((assertion) => assertion.evidence_ids)) {
    const item = evidenceById.get(id);
    const source = item === undefined ? undefined : sourceById.get(item.source_revision_id);
    if (item === undefined || source === undefined || numberById.has(id)) continue;
    const n = citations.length + 1;
    numberById.set(id, n);
    citations.push({
      n,
      evidence_id: id,
      quote: item.quote,
      start: item.start,
      end: item.end,
      source: {
        source_revision_id: source.source_revision_id,
        url: source.final_url,
        title: source.title,
        language: source.language,
        retrieved_time: source.retrieved_time,
      },
    });
  }
  return {
    citations,
    numbersOf: (assertion) => assertion.evidence_ids.flatMap((id) => numberById.get(id) ?? []),
  };
}
