// Contract suite of the read ports: what the gateway and effects see of committed rows.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#contracts/json.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import type { ReadModels } from '#persistence/read-models/read-models.ts';

export type ReadSubject = {
  readonly reads: ReadModels;
  /** Commits rows as an actor's transition would. */
  commit(project: string, writes: readonly { table: string; row: Record<string, Json> }[]): Promise<void>;
  close(): Promise<void>;
};

const PROJECT = 'default';

function revisionOf(change: Partial<SourceRevision> & { source_revision_id: string }): SourceRevision {
  return {
    task_id: 'tsk_1',
    requested_url: 'https://example.com/a',
    final_url: 'https://example.com/a',
    method: 'browser',
    retrieved_time: '2026-01-01T00:00:00.000Z',
    parser_version: '1',
    content_hash: '0'.repeat(64),
    title: '标题',
    language: 'zh-CN',
    page_kind: 'article',
    text: 'text with \u0000 in it',
    blocks: [],
    tables: [],
    fields: {},
    unread: [],
    rights: { visibility: 'project', note: '' },
    ...change,
  } as SourceRevision;
}

export function registerReadModelsSuite(name: string, open: () => Promise<ReadSubject>): void {
  describe(`read models: ${name}`, () => {
    let subject: ReadSubject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());
    const reads = (): ReadModels => subject.reads;

    const conversation = (id: string, updated_at: string, hidden = false) => ({
      table: 'conversation',
      row: { id, title: id, hidden, view: { conversation_id: id, hidden }, updated_at },
    });
    const message = (id: string, seq: number, text: string) => ({
      table: 'message',
      row: {
        id,
        conversation_id: 'cnv_1',
        seq,
        author: 'user',
        client_message_id: `c ${id}`,
        view: { message_id: id, text },
        updated_at: '',
      },
    });

    it('[CH-03] conversations come newest first, messages in their order with the latest revision', async () => {
      await subject.commit(PROJECT, [conversation('cnv_1', '2026-01-01'), conversation('cnv_2', '2026-01-03', true)]);
      await subject.commit(PROJECT, [message('msg_b', 10, 'second'), message('msg_a', 9, 'first')]);
      await subject.commit(PROJECT, [conversation('cnv_1', '2026-01-05'), message('msg_a', 9, 'first, revised')]);
      expect((await reads().conversations.list(PROJECT, 9)).map((view) => view.conversation_id)).toEqual([
        'cnv_1',
        'cnv_2',
      ]);
      expect(await reads().conversations.list(PROJECT, 1)).toHaveLength(1);
      expect(await reads().conversations.find(PROJECT, 'cnv_2')).toMatchObject({ hidden: true });
      expect(await reads().conversations.find('other', 'cnv_2')).toBeNull();
      const texts = (await reads().conversations.messages(PROJECT, 'cnv_1')).map((view) => view.text);
      expect(texts).toEqual(['first, revised', 'second']);
    });

    it('[AP-01] tasks are listed newest first, by status and conversation', async () => {
      const task = (id: string, status: string, conversation_id: string | null) => ({
        table: 'task',
        row: { id, status, mode: 'research', conversation_id, view: { task_id: id, status }, updated_at: '' },
      });
      await subject.commit(PROJECT, [task('tsk_1', 'running', 'cnv_1')]);
      await subject.commit(PROJECT, [task('tsk_2', 'running', null)]);
      await subject.commit(PROJECT, [task('tsk_1', 'completed', 'cnv_1')]);
      const ids = async (filter: object) =>
        (await reads().tasks.list(PROJECT, { limit: 9, ...filter })).map((view) => view.task_id);
      expect(await ids({})).toEqual(['tsk_2', 'tsk_1']);
      expect(await ids({ status: 'completed' })).toEqual(['tsk_1']);
      expect(await ids({ conversationId: 'cnv_1' })).toEqual(['tsk_1']);
      expect(await reads().tasks.find(PROJECT, 'tsk_1')).toMatchObject({ status: 'completed' });
      expect(await reads().tasks.find(PROJECT, 'tsk_9')).toBeNull();
    });

    it('[RM1] a source revision is stored once, comes back exactly, and is found for reuse by address, parser and time', async () => {
      const old = revisionOf({ source_revision_id: 'srv_old', retrieved_time: '2026-01-01T00:00:00.000Z' });
      const recent = revisionOf({ source_revision_id: 'srv_new', retrieved_time: '2026-01-02T00:00:00.000Z' });
      const { research, researchWrites } = reads();
      await researchWrites.storeSourceRevision(PROJECT, recent);
      await researchWrites.storeSourceRevision(PROJECT, old);
      await researchWrites.storeSourceRevision(PROJECT, { ...old, title: 'changed' });
      expect(await research.sourceRevision(PROJECT, 'srv_old')).toEqual(old);
      const recall = (notBefore: string, parser = '1', url = old.requested_url) =>
        research.recentRevision(PROJECT, url, parser, notBefore);
      expect((await recall('2026-01-01T00:00:00.000Z'))?.source_revision_id).toBe('srv_new');
      expect(await recall('2026-01-02T00:00:00.001Z')).toBeNull();
      expect(await recall('2026-01-01T00:00:00.000Z', '2')).toBeNull();
      expect(await recall('2026-01-01T00:00:00.000Z', '1', 'https://example.com/b')).toBeNull();
      const long = revisionOf({
        source_revision_id: 'srv_long',
        requested_url: `https://example.com/${'x'.repeat(20_000)}`,
      });
      await researchWrites.storeSourceRevision(PROJECT, long);
      expect((await recall('2026-01-01', '1', long.requested_url))?.source_revision_id).toBe('srv_long');
    });

    it('[RM2] evidence, assertions, sources and the answer of a task are found; of an assertion the latest revision', async () => {
      const evidence = (id: string, source_revision_id: string) => ({
        table: 'evidence',
        row: { id, task_id: 'tsk_e', source_revision_id, evidence: { evidence_id: id } },
      });
      const assertion = (revision: number) => ({
        table: 'assertion',
        row: { id: 'asr_1', revision, task_id: 'tsk_e', assertion: { assertion_id: 'asr_1', revision } },
      });
      const source = (source_revision_id: string) => ({
        table: 'task_source',
        row: { task_id: 'tsk_e', source_revision_id },
      });
      await reads().researchWrites.storeSourceRevision(PROJECT, revisionOf({ source_revision_id: 'srv_e' }));
      await subject.commit(PROJECT, [
        evidence('evd_1', 'srv_e'),
        evidence('evd_2', 'srv_x'),
        assertion(1),
        source('srv_e'),
      ]);
      await subject.commit(PROJECT, [
        assertion(2),
        source('srv_gone'),
        { table: 'answer', row: { id: 'tsk_e', answer: { title: 'A' } } },
      ]);
      const { research } = reads();
      expect(await research.evidence(PROJECT, 'evd_1')).toEqual({ evidence_id: 'evd_1' });
      expect(await research.evidenceOfTask(PROJECT, 'tsk_e')).toHaveLength(2);
      expect(await research.evidenceOfSource(PROJECT, 'srv_e')).toEqual([{ evidence_id: 'evd_1' }]);
      expect(await research.assertionsOfTask(PROJECT, 'tsk_e')).toEqual([{ assertion_id: 'asr_1', revision: 2 }]);
      expect((await research.sourcesOfTask(PROJECT, 'tsk_e')).map((row) => row.source_revision_id)).toEqual(['srv_e']);
      expect(await research.sourcesOfTask(PROJECT, 'tsk_none')).toEqual([]);
      expect(await research.answerOfTask(PROJECT, 'tsk_e')).toEqual({ title: 'A' });
      expect(await research.answerOfTask('other', 'tsk_e')).toBeNull();
    });

    it('[RM3] artifacts and operations are found; an operation shows a result or a problem only when it has one', async () => {
      const operation = (id: string, more: Record<string, Json>) => ({
        table: 'operation',
        row: { id, actor: 'task/tsk_1', request_id: `r ${id}`, status: 'done', ...more },
      });
      await subject.commit(PROJECT, [
        { table: 'artifact', row: { id: 'art_1', task_id: 'tsk_1', status: 'sealed', view: { artifact_id: 'art_1' } } },
        operation('opr_1', { result: { ok: true }, problem: null }),
        operation('opr_2', { status: 'accepted' }),
      ]);
      expect(await reads().artifacts.find(PROJECT, 'art_1')).toEqual({ artifact_id: 'art_1' });
      expect(await reads().artifacts.list(PROJECT, 5)).toHaveLength(1);
      expect(await reads().operations.find(PROJECT, 'opr_1')).toEqual({
        operation_id: 'opr_1',
        status: 'done',
        result: { ok: true },
      });
      expect(await reads().operations.find(PROJECT, 'opr_2')).toEqual({ operation_id: 'opr_2', status: 'accepted' });
      expect(await reads().operations.find(PROJECT, 'opr_3')).toBeNull();
    });
  });
}
