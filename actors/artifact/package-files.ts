import type { EvidenceFile, PackageFile, PackageManifest, SourcesFile } from '#contracts/research/package.ts';
import type { PackageContent } from './package-content.ts';
import { renderReportHtml } from './report-html.ts';
import { renderReportMarkdown } from './report-markdown.ts';

type FileContent = { readonly name: string; readonly mediaType: string; readonly bytes: Uint8Array };

/** Only what the answer cites goes in: evidence, its assertions and the sources they were taken from. */
export function buildPackageFiles(content: PackageContent): FileContent[] {
  const { answer } = content;
  const { evidence, assertions, sources } = citedParts(content);
  const evidenceFile: EvidenceFile = { format: 'yunsou-evidence/1', answer, evidence, assertions };
  const sourcesFile: SourcesFile = { format: 'yunsou-sources/1', sources };
  return [
    textFile('report.md', 'text/markdown; charset=utf-8', renderReportMarkdown(content)),
    textFile('report.html', 'text/html; charset=utf-8', renderReportHtml(content)),
    textFile('evidence.json', 'application/json', `${JSON.stringify(evidenceFile, null, 2)}\n`),
    textFile('sources.json', 'application/json', `${JSON.stringify(sourcesFile, null, 2)}\n`),
  ];
}

export function buildManifest(content: PackageContent, files: readonly PackageFile[]): PackageManifest {
  const { state, answer, sealedTime } = content;
  const { evidence, assertions, sources } = citedParts(content);
  return {
    format: 'yunsou-package/1',
    artifact_id: state.artifact_id,
    revision: state.revision,
    task_id: state.task_id,
    sealed_time: sealedTime,
    question: state.question,
    language: state.language,
    engine: answer.engine,
    ...(answer.engine_profile === undefined ? {} : { engine_profile: answer.engine_profile }),
    plan_hash: state.plan_hash,
    task_status: state.task_status,
    report_status: 'ready',
    review_status: 'machine_checked',
    counts: {
      sources: sources.length,
      evidence: evidence.length,
      assertions: assertions.length,
      gaps: answer.gaps.length,
    },
    files: [...files],
  };
}

function citedParts({ answer, evidence, assertions, sources }: PackageContent) {
  const evidenceIds = new Set(answer.citations.map((citation) => citation.evidence_id));
  const sourceIds = new Set(answer.citations.map((citation) => citation.source.source_revision_id));
  return {
    evidence: evidence.filter((item) => evidenceIds.has(item.evidence_id)),
    assertions: assertions.filter((item) => item.evidence_ids.some((id) => evidenceIds.has(id))),
    sources: sources.filter((source) => sourceIds.has(source.source_revision_id)),
  };
}

function textFile(name: string, mediaType: string, text: string): FileContent {
  return { name, mediaType, bytes: new TextEncoder().encode(text) };
}
