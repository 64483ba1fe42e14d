import { verifyQuote } from '#contracts/text/quote.ts';
import { EvidenceFile, PackageManifest, SourcesFile } from '#contracts/research/package.ts';
import type { Answer } from '#contracts/research/answer.ts';
import type { Assertion, Evidence } from '#contracts/research/evidence.ts';
import type { SourceRevision } from '#contracts/research/source.ts';

/**
 * Re-checks a sealed package from its bytes alone (AR-04): files against the manifest, every quote at its offsets, every
 * asserting sentence against its assertion and citations. Returns what is wrong, in words; an empty list means whole.
 */
export function verifyPackage(files: ReadonlyMap<string, Uint8Array>, sha256: (bytes: Uint8Array) => string): string[] {
  const manifest = parse(files, 'manifest.json', PackageManifest);
  if (typeof manifest === 'string') return [manifest];
  const problems = checkFiles(manifest, files, sha256);
  const evidence = parse(files, 'evidence.json', EvidenceFile);
  const sources = parse(files, 'sources.json', SourcesFile);
  if (typeof evidence === 'string') return [...problems, evidence];
  if (typeof sources === 'string') return [...problems, sources];
  const sourceById = new Map(sources.sources.map((source) => [source.source_revision_id, source]));
  for (const source of sources.sources) {
    if (sha256(new TextEncoder().encode(source.text)) !== source.content_hash) {
      problems.push(`source ${source.source_revision_id}: the text does not hash to its content_hash`);
    }
  }
  problems.push(...checkEvidence(evidence.evidence, sourceById));
  problems.push(...checkAssertions(evidence.assertions, evidence.evidence));
  problems.push(...checkAnswer(evidence.answer, evidence.evidence, evidence.assertions));
  const report = files.get('report.md');
  if (report !== undefined) problems.push(...checkMarks(new TextDecoder().decode(report), evidence.answer));
  return problems;
}

type Parser<T> = {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { message: string } };
};

function parse<T>(files: ReadonlyMap<string, Uint8Array>, name: string, schema: Parser<T>): T | string {
  const bytes = files.get(name);
  if (bytes === undefined) return `${name} is missing`;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return `${name} is not JSON in UTF-8`;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : `${name} does not follow its format: ${parsed.error.message.slice(0, 300)}`;
}

function checkFiles(
  manifest: PackageManifest,
  files: ReadonlyMap<string, Uint8Array>,
  sha256: (bytes: Uint8Array) => string,
): string[] {
  const problems: string[] = [];
  for (const file of manifest.files) {
    const bytes = files.get(file.name);
    if (bytes === undefined) problems.push(`${file.name} is named in the manifest but missing`);
    else if (sha256(bytes) !== file.sha256) problems.push(`${file.name} does not have the SHA-256 of the manifest`);
  }
  const named = new Set(['manifest.json', ...manifest.files.map((file) => file.name)]);
  for (const name of files.keys()) if (!named.has(name)) problems.push(`${name} is not named in the manifest`);
  return problems;
}

function checkEvidence(evidence: readonly Evidence[], sources: ReadonlyMap<string, SourceRevision>): string[] {
  return evidence.flatMap((item) => {
    const source = sources.get(item.source_revision_id);
    if (source === undefined) return [`evidence ${item.evidence_id}: its source is not in sources.json`];
    return verifyQuote(source.text, item)
      ? []
      : [`evidence ${item.evidence_id}: the quote does not stand at its offsets`];
  });
}

function checkAssertions(assertions: readonly Assertion[], evidence: readonly Evidence[]): string[] {
  const known = new Set(evidence.map((item) => item.evidence_id));
  return assertions.flatMap((assertion) =>
    assertion.evidence_ids
      .filter((id) => !known.has(id))
      .map((id) => `assertion ${assertion.assertion_id}: evidence ${id} is missing`),
  );
}

function checkAnswer(answer: Answer, evidence: readonly Evidence[], assertions: readonly Assertion[]): string[] {
  const problems: string[] = [];
  const evidenceById = new Map(evidence.map((item) => [item.evidence_id, item]));
  const assertionById = new Map(assertions.map((item) => [item.assertion_id, item]));
  const citationByNumber = new Map(answer.citations.map((citation) => [citation.n, citation]));
  for (const citation of answer.citations) {
    const item = evidenceById.get(citation.evidence_id);
    if (item === undefined || item.quote !== citation.quote || item.start !== citation.start) {
      problems.push(`citation [${citation.n}] does not match evidence ${citation.evidence_id}`);
    }
  }
  for (const sentence of answer.sections.flatMap((section) => section.sentences)) {
    if (sentence.role === 'frames') continue;
    const ids = [sentence.assertion_id, ...(sentence.also ?? [])];
    const named = ids.flatMap((id) => assertionById.get(id) ?? []);
    for (const id of ids)
      if (!assertionById.has(id)) problems.push(`a sentence names assertion ${id}, which is missing`);
    for (const n of sentence.citations) {
      const citation = citationByNumber.get(n);
      if (citation === undefined) problems.push(`a sentence cites [${n}], which is missing`);
      else if (named.length === ids.length && !named.some((one) => one.evidence_ids.includes(citation.evidence_id))) {
        problems.push(`a sentence cites [${n}], which is not evidence of its assertion`);
      }
    }
  }
  return problems;
}

/** Marks in the text and the list of references must be the same set, in every format. */
function checkMarks(report: string, answer: Answer): string[] {
  const marks = new Set([...report.matchAll(/(?<!\\)\[(\d+)\]/gu)].map((match) => Number(match[1])));
  const listed = new Set(answer.citations.map((citation) => citation.n));
  const missing = [...marks].filter((n) => !listed.has(n)).map((n) => `report.md cites [${n}], which is not listed`);
  const unused = [...listed].filter((n) => !marks.has(n)).map((n) => `report.md never uses citation [${n}]`);
  return [...missing, ...unused];
}
