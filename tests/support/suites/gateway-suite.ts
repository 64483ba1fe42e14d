import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conversationActor } from '#actors/conversation/actor.ts';
import { taskActor } from '#actors/task/actor.ts';
import type { ConversationDetail, MessageStored } from '#contracts/http/conversations.ts';
import type { OperationAccepted, TaskDetail } from '#contracts/http/tasks.ts';
import type { ActorStore } from '#contracts/ports/actor-store.ts';
import type { ConversationReads, OperationReads, TaskReads } from '#contracts/ports/reads.ts';
import { createMemoryBus } from '#runtime/bus/memory-bus.ts';
import { createActorHost, type ActorHost } from '#runtime/host/actor-host.ts';
import { systemClock, systemRandomness } from '#runtime/main/system-time.ts';
import {
  emptyLedger,
  startGateway,
  type GatewayHarness,
  type ProblemBody,
} from '#tests/support/fakes/gateway-harness.ts';
import { OpenPlanning } from '../fakes/open-planning.ts';
import { ResearchShelf } from '#tests/support/fakes/research-shelf.ts';
import { SseReader } from '#tests/support/fakes/sse-reader.ts';

const API = '/api/v1';
const GREETING = { client_message_id: 'client-message-1', text: '你好' };

export type StoredTruth = {
  readonly store: ActorStore;
  readonly reads: {
    readonly conversations: ConversationReads;
    readonly tasks: TaskReads;
    readonly operations: OperationReads;
  };
  close(): Promise<void>;
};

/** The gateway over the real host and the real conversation and task actors; nobody does a task's work, so it stays a draft. */
export function gatewaySuite(name: string, open: () => Promise<StoredTruth>): void {
  describe(`the gateway over real actors, ${name}`, () => {
    let truth: StoredTruth;
    let actors: ActorHost;
    let host: GatewayHarness;
    let path: string;
    const post = <T>(to: string, body: object, headers: Record<string, string> = {}) =>
      host.call<T>(to, { method: 'POST', body, headers });

    beforeEach(async () => {
      truth = await open();
      actors = createActorHost({
        workerId: 'worker-1',
        store: truth.store,
        bus: createMemoryBus(),
        definitions: [conversationActor, taskActor],
        ports: { planning: new OpenPlanning() },
        clock: systemClock,
        randomness: systemRandomness,
      });
      await actors.start();
      const shelf = new ResearchShelf();
      const reads = { ...truth.reads, research: shelf.research, artifacts: shelf.artifacts, ledger: emptyLedger() };
      host = await startGateway({ client: actors.client, streams: actors.streams, reads });
      const { body } = await post<{ conversation_id: string }>(`${API}/conversations`, { title: '第一次' });
      path = `${API}/conversations/${body.conversation_id}`;
    });
    afterEach(async () => {
      await host.close();
      await actors.stop();
      await truth.close();
    });

    it('[CH-04] a message that is sent again an hour later is the same message, other text a conflict', async () => {
      const first = await post<MessageStored>(`${path}/messages`, GREETING);
      expect(first.status).toBe(202);
      host.clock.advance(3_600_000);
      expect(await post(`${path}/messages`, GREETING)).toMatchObject({ status: 202, body: first.body });
      expect(await post(`${path}/messages`, { ...GREETING, text: '再见' })).toMatchObject({ status: 409 });
      const { body } = await host.call<ConversationDetail>(path);
      expect(body.messages.filter((message) => message.author === 'user')).toMatchObject([
        { ...first.body, ...GREETING },
      ]);
      expect(body).toMatchObject({ title: '第一次' });
    });

    it('[CH-05] an edit appends a revision, an edit of an old revision is 412', async () => {
      const { body: stored } = await post<MessageStored>(`${path}/messages`, GREETING);
      const revisions = `${path}/messages/${stored.message_id}/revisions`;
      const change = { base_revision_id: stored.message_revision_id, text: '您好' };
      const headers = { 'If-Match': `"${stored.message_revision_id}"` };
      const revised = await post<MessageStored>(revisions, change, headers);
      expect(revised.status).toBe(201);
      expect(await post(revisions, change, headers)).toMatchObject({ status: 201, body: revised.body });
      expect((await post(revisions, { ...change, text: 'x' }, headers)).status).toBe(412);
      expect(await host.call(path, { method: 'PATCH', body: { hidden: true } })).toMatchObject({
        body: { hidden: true },
      });
    });

    it('[AP-01] a task is created once and commanded by its rules', async () => {
      const question = { request_id: 'request-0001', text: '怎么停止一个任务?', mode: 'research', auto_start: false };
      const created = await post<OperationAccepted>(`${API}/tasks`, question);
      expect(created.status).toBe(202);
      host.clock.advance(60_000);
      expect(await post(`${API}/tasks`, question)).toMatchObject({ status: 202, body: created.body });
      const task = `${API}/tasks/${created.body.task_id}`;
      expect((await host.call<TaskDetail>(task)).body).toMatchObject({ status: 'draft', event_seq: '1' });
      const early = await post<ProblemBody>(`${task}/pause`, { request_id: 'request-pause' });
      expect(early).toMatchObject({ status: 409, body: { code: 'actor.ignored', details: { status: 'draft' } } });
      const plan = await post<ProblemBody>(`${task}/compile-plan`, { request_id: 'request-plan' });
      expect(plan).toMatchObject({ status: 501, body: { code: 'mode.not_available' } });
      const late = { request_id: 'request-late', expected_event_seq: '9' };
      expect((await post(`${task}/cancel`, late)).status).toBe(412);
      const cancelled = await post<OperationAccepted>(`${task}/cancel`, { request_id: 'request-cancel' });
      expect(cancelled.status).toBe(202);
      expect(await host.call(`${API}/operations/${cancelled.body.operation_id}`)).toMatchObject({
        status: 200,
        body: { status: 'done', result: { task_id: created.body.task_id, status: 'cancelled' } },
      });
      expect((await host.call<TaskDetail>(task)).body).toMatchObject({
        status: 'cancelled',
        ended_time: expect.stringMatching(/Z$/) as string,
      });
    });

    it('[TK-06] an ended task is gone on from as a new one, once for the same request; a running one is not', async () => {
      const question = { request_id: 'request-0002', text: '怎么停止一个任务?', mode: 'research', auto_start: false };
      const { body: first } = await post<OperationAccepted>(`${API}/tasks`, question);
      const task = `${API}/tasks/${first.task_id}`;
      const wish = { request_id: 'request-more', text: '怎么恢复一个任务?' };
      expect(await post<ProblemBody>(`${task}/continue-as-new`, wish)).toMatchObject({ status: 409 });
      await post(`${task}/cancel`, { request_id: 'request-cancel' });
      const made = await post<OperationAccepted>(`${task}/continue-as-new`, wish);
      expect(made.status).toBe(202);
      expect(await post(`${task}/continue-as-new`, wish)).toMatchObject({ status: 202, body: made.body });
      const next = await host.call<TaskDetail>(`${API}/tasks/${made.body.new_task_id}`);
      expect(next.body).toMatchObject({ parent_task_id: first.task_id, mode: 'research' });
      expect((await host.call<TaskDetail>(task)).body.status).toBe('cancelled');
    });

    it('[AP-02] the stream of a conversation is replayed and goes on live', async () => {
      const leave = new AbortController();
      const reader = new SseReader(await host.open(`${path}/events`, { signal: leave.signal }), leave);
      const [created, renamed] = await reader.take(2);
      expect([created?.event, renamed?.event]).toEqual(['conversation.created', 'conversation.renamed']);
      await post(`${path}/messages`, GREETING);
      const [posted] = await reader.take(1);
      expect(JSON.parse(posted?.data ?? '')).toMatchObject({ message: GREETING });
      reader.leave();
    });
  });
}
