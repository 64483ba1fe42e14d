import { createHash } from 'node:crypto';
import type { BrowserPort, Observation } from '#contracts/ports/browser.ts';
import type { ResearchWrites } from '#contracts/ports/reads.ts';
import type { RobotsNote } from '#contracts/research/robots.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import { defineEffect } from '#runtime/core/authoring.ts';
import type { CloseInput, NavigateInput, Observed, OpenInput, PageRead, ReadInput } from './contract.ts';

export type BrowserContextPorts = { readonly browser: BrowserPort; readonly sources: ResearchWrites };

function summarise(observation: Observation): Observed['observation'] {
  return {
    observation_id: observation.observationId,
    document_generation: observation.documentGeneration,
    final_url: observation.finalUrl,
    title: observation.title,
    http_status: observation.httpStatus,
    content_type: observation.contentType,
  };
}

function rightsNote(robots: RobotsNote | null): string {
  const note = 'read through the browser under the project’s read-only policy';
  if (robots === null) return note;
  return `${note}; robots.txt: ${robots.verdict}${robots.rule === null ? '' : ` (${robots.rule})`}`;
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

export const browserContextEffects = {
  openSession: defineEffect<OpenInput, { opened: true }, BrowserContextPorts>({
    class: 'idempotent',
    timeoutMs: 30_000,
    attempts: 2,
    run: async (input, { ports, project, signal }) => {
      const { session_id: sessionId, task_id: taskId, owner, locale } = input;
      await ports.browser.openSession({ sessionId, taskId, owner, locale, project }, signal);
      return { opened: true };
    },
  }),

  navigate: defineEffect<NavigateInput, Observed, BrowserContextPorts>({
    class: 'once',
    timeoutMs: 45_000,
    run: async (input, { ports, signal }) => {
      const action = { kind: 'navigate', actionId: input.action_id, url: input.url } as const;
      const result = await ports.browser.navigate(input.session_id, action, signal);
      return { observation: summarise(result.observation) };
    },
  }),

  readPage: defineEffect<ReadInput, PageRead, BrowserContextPorts>({
    class: 'idempotent',
    timeoutMs: 45_000,
    attempts: 1,
    run: async (input, { ports, project, signal }) => {
      const action = {
        kind: 'read',
        actionId: input.action_id,
        documentGeneration: input.document_generation,
      } as const;
      const { page, observation, retrievedAtMs, robots } = await ports.browser.read(input.session_id, action, signal);
      const contentHash = sha256(page.text);
      const revision: SourceRevision = {
        // The same action stores the same revision, so a repeated read leaves one row.
        source_revision_id: `srv_${sha256(`${input.action_id}\n${contentHash}`).slice(0, 32)}`,
        task_id: input.task_id,
        requested_url: input.requested_url,
        final_url: observation.finalUrl,
        method: 'browser',
        retrieved_time: new Date(retrievedAtMs).toISOString(),
        parser_version: page.parser_version,
        content_hash: contentHash,
        title: page.title,
        language: page.language,
        page_kind: page.page_kind,
        text: page.text,
        blocks: page.blocks,
        tables: page.tables,
        fields: page.fields,
        unread: page.unread,
        rights: { visibility: 'project', note: rightsNote(robots) },
      };
      await ports.sources.storeSourceRevision(project, revision);
      return {
        page: {
          source_revision_id: revision.source_revision_id,
          final_url: revision.final_url,
          title: revision.title,
          language: revision.language,
          page_kind: revision.page_kind,
          characters: revision.text.length,
          blocked: page.blocked ?? null,
        },
      };
    },
  }),

  closeSession: defineEffect<CloseInput, { closed: true }, BrowserContextPorts>({
    class: 'idempotent',
    timeoutMs: 10_000,
    attempts: 2,
    run: async (input, { ports }) => {
      await ports.browser.closeSession(input.session_id);
      return { closed: true };
    },
  }),
};
