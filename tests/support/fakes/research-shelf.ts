import type { RoleRunRecord } from '#contracts/actors/role.ts';
import { createHash } from 'node:crypto';
import type { ArtifactView } from '#contracts/http/research.ts';
import type { BlobStore } from '#contracts/ports/blob-store.ts';
import type { ArtifactReads, OperationReads, ResearchReads } from '#contracts/ports/reads.ts';
import type { Evidence } from '#contracts/research/evidence.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import type * as z from 'zod';

type Artifact = z.infer<typeof ArtifactView>;
const DEFAULT = 'default';

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Finished research of the project `default`, in memory: one source, evidence in it, one result with its bytes. */
export class ResearchShelf implements BlobStore {
  readonly blobs = new Map<string, Uint8Array>();
  readonly sources = new Map<string, SourceRevision>();
  readonly quotes = new Map<string, Evidence>();
  readonly results = new Map<string, Artifact>();

  async put(bytes: Uint8Array): Promise<string> {
    const hash = sha256(bytes);
    this.blobs.set(hash, bytes);
    return hash;
  }
  async get(hash: string): Promise<Uint8Array | null> {
    return this.blobs.get(hash) ?? null;
  }
  async verify(): Promise<void> {}

  readonly roleRuns: RoleRunRecord[] = [];

  readonly research: ResearchReads = {
    sourceRevision: async (project, id) => (project === DEFAULT ? (this.sources.get(id) ?? null) : null),
    recentRevision: async () => null,
    evidence: async (project, id) => (project === DEFAULT ? (this.quotes.get(id) ?? null) : null),
    evidenceOfSource: async (_project, id) => [...this.quotes.values()].filter((one) => one.source_revision_id === id),
    evidenceOfTask: async () => [...this.quotes.values()],
    assertionsOfTask: async () => [],
    sourcesOfTask: async () => [...this.sources.values()],
    answerOfTask: async () => null,
    roleRunsOfTask: async (_project, taskId) => this.roleRuns.filter(({ task_id }) => task_id === taskId),
  };

  readonly artifacts: ArtifactReads = {
    find: async (project, id) => (project === DEFAULT ? (this.results.get(id) ?? null) : null),
    list: async (project) => (project === DEFAULT ? [...this.results.values()] : []),
  };

  readonly operations: OperationReads = { find: async () => null };

  addSource(text: string, quote: string): { sourceId: string; evidenceId: string } {
    const sourceId = 'srv_source0001';
    const evidenceId = 'evd_quote0001';
    const start = text.indexOf(quote);
    this.sources.set(sourceId, {
      source_revision_id: sourceId,
      task_id: null,
      requested_url: 'https://example.org/a',
      final_url: 'https://example.org/a',
      method: 'browser',
      retrieved_time: '2026-01-02T03:04:05Z',
      parser_version: '1',
      content_hash: sha256(text),
      title: '标题 <script>',
      language: 'en',
      page_kind: 'article',
      text,
      blocks: [],
      tables: [],
      fields: {},
      unread: [],
      rights: { visibility: 'project', note: '' },
    });
    this.quotes.set(evidenceId, {
      evidence_id: evidenceId,
      task_id: 'tsk_task0001',
      source_revision_id: sourceId,
      start,
      end: start + quote.length,
      quote,
      anchor: { before: '', after: '', heading_path: [] },
      stance: 'supports',
    });
    return { sourceId, evidenceId };
  }

  /** A sealed result; the manifest is stored beside the files, as a package does it. */
  async addArtifact(title: string, files: Readonly<Record<string, string>>): Promise<string> {
    const artifactId = 'art_result0001';
    const listed = await Promise.all(
      Object.entries(files).map(async ([name, text]) => {
        const bytes = new TextEncoder().encode(text);
        return { name, media_type: 'text/plain', sha256: await this.put(bytes), bytes: bytes.length };
      }),
    );
    this.results.set(artifactId, {
      artifact_id: artifactId,
      task_id: 'tsk_task0001',
      revision: 1,
      kind: 'report',
      title,
      status: 'sealed',
      report_status: 'ready',
      review_status: 'machine_checked',
      manifest_sha256: await this.put(new TextEncoder().encode('{"format":"yunsou-package/1"}')),
      files: listed,
      created_time: '2026-01-02T03:04:05Z',
    });
    return artifactId;
  }
}
