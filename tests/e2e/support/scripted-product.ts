// Scripted product
//
// The real gateway and the real built client, in front of in-memory actors whose job a test plays step by step.
// It keeps what the actors promise: numbered gapless events, an acknowledged message before any work, stopping before stopped.

import { join } from 'node:path';
import type { MessagePart, MessageView } from '#contracts/actors/conversation.ts';
import type { PlanNode, TaskStatus, TaskView } from '#contracts/actors/task.ts';
import { silentLogger } from '#contracts/ports/logger.ts';
import { MemoryViewerStore } from '#persistence/memory/viewer-store.ts';
import { createGateway, type GatewayServer } from '#gateway/app.ts';
import { buildClient } from '#scripts/build-client.ts';
import { ActorWorld, type FakeActor, type FakeBehaviour } from '#tests/support/fakes/actor-world.ts';
import { conversationBehaviour, conversationView, messagesOf } from '#tests/support/fakes/conversation-behaviour.ts';
import { emptyLedger } from '#tests/support/fakes/gateway-harness.ts';
import { listedModels } from '#tests/support/fakes/listed-models.ts';
import { FolderLibrary } from '#tests/support/fakes/folder-library.ts';
import { idleInspection } from '#tests/support/fakes/idle-inspection.ts';
import { ResearchShelf } from '#tests/support/fakes/research-shelf.ts';
import { taskBehaviour, taskView } from '#tests/support/fakes/task-behaviour.ts';
import type { ResearchScript } from './research-script.ts';

const PROJECT = 'default';
const OK = { ok: true, detail: 'in memory' };

/** Stopping is told at once; that it has stopped is the test's to tell. */
const scriptedTask: FakeBehaviour = {
  create: taskBehaviour.create,
  receive(actor, event) {
    if (event.type !== 'task.stop') return taskBehaviour.receive(actor, event);
    if (actor.state['status'] !== 'running') return { outcome: 'ignored' };
    actor.state['status'] = 'stopping';
    const seq = actor.publish('task.stopping', { cancel_generation: '1' });
    const reply = { operation_id: event['operation_id'], task_id: actor.id, event_seq: String(seq) };
    return { outcome: 'handled', reply };
  },
};

export type Job = {
  readonly taskId: string;
  search(): void;
  /** Queues the pages of the script, then reads the first `count` of them. */
  read(count: number): void;
  finish(): Promise<void>;
  stopped(): void;
  publish(type: string, data: unknown): void;
};

export class ScriptedProduct {
  readonly world: ActorWorld;
  readonly shelf = new ResearchShelf();
  readonly library = new FolderLibrary();
  readonly url: string;
  readonly #gateway: GatewayServer;

  private constructor(
    gateway: GatewayServer,
    world: ActorWorld,
    url: string,
    shelf: ResearchShelf,
    library: FolderLibrary,
  ) {
    this.#gateway = gateway;
    this.world = world;
    this.url = url;
    this.shelf = shelf;
    this.library = library;
  }

  static async start(port = 0): Promise<ScriptedProduct> {
    const { dir: staticDir } = await buildClient();
    const world = new ActorWorld({ conversation: conversationBehaviour, task: scriptedTask }, () => Date.now());
    const shelf = new ResearchShelf();
    const library = new FolderLibrary();
    await library.approve('/srv/library/help');
    const clock = { nowMs: () => Date.now(), after: systemAfter };
    const viewer = new MemoryViewerStore(clock);
    const gateway = createGateway({
      client: world,
      streams: world,
      reads: {
        ...readsOf(world),
        research: shelf.research,
        artifacts: shelf.artifacts,
        operations: shelf.operations,
        ledger: emptyLedger(),
      },
      inspection: idleInspection(),
      blobs: shelf,
      library,
      models: listedModels,
      ready: async () => ({
        ready: true,
        database: OK,
        wire: OK,
        browser: OK,
        library: OK,
        workers: OK,
        engine: 'extractive',
      }),
      metrics: async () => '',
      access: { sessionSecret: 'session-secret-of-the-tests-0123456789abcdef', apiToken: null, projects: [PROJECT] },
      clock,
      viewer,
      viewerLink: { want: () => undefined, countStale: () => undefined },
      randomness: { next: Math.random, id: () => crypto.randomUUID() },
      logger: silentLogger,
      version: '0.1.0',
      engine: 'extractive',
      language: 'en',
      staticDir,
      helpDir: join(import.meta.dirname, '../../../runtime/main/help/pages'),
      allowedOrigins: [],
    });
    gateway.attachSockets();
    const { url } = await gateway.listen({ host: '127.0.0.1', port });
    return new ScriptedProduct(gateway, world, url, shelf, library);
  }

  signInUrl(): string {
    return this.url + this.#gateway.issueSignInPath();
  }

  signInToken(): string {
    return new URLSearchParams(this.#gateway.issueSignInPath().split('?')[1]).get('token') ?? '';
  }

  close(): Promise<void> {
    return this.#gateway.close();
  }

  /** Answers the newest message of a conversation with a running task, as the conversation actor does. */
  begin(conversationId: string, script: ResearchScript): Job {
    const conversation = this.conversation(conversationId);
    const turn = messagesOf(conversation).findLast((one) => one.author === 'user')!;
    const taskId = `tsk_${turn.turn_id.slice(4)}`;
    if (conversation.state['title'] === '') rename(conversation, turn.text.slice(0, 80));
    const task = this.#spawnTask(conversation, turn, taskId);
    const message = this.say(
      conversationId,
      [{ kind: 'progress', part_id: `${taskId}-progress`, task_id: taskId }],
      taskId,
    );
    task.publish('task.queued', {});
    task.publish('run.started', { run: 1 });
    return new ScriptedJob(this, task, conversation, message, script);
  }

  say(conversationId: string, parts: readonly MessagePart[], taskId: string | null = null): MessageView {
    const conversation = this.conversation(conversationId);
    const turn = messagesOf(conversation).findLast((one) => one.author === 'user')!;
    const message: MessageView = {
      ...turn,
      message_id: `${turn.message_id}-a${messagesOf(conversation).length}`,
      author: 'assistant',
      conversation_seq: String(conversation.eventSeq + 1),
      client_message_id: null,
      text: '',
      mode: null,
      parts: [...parts],
      task_id: taskId,
    };
    messagesOf(conversation).push(message);
    conversation.publish('message.posted', { message });
    return message;
  }

  conversation(id: string): FakeActor {
    const actor = this.world.find(PROJECT, `conversation/${id}`);
    if (actor === undefined) throw new Error(`no conversation ${id}`);
    return actor;
  }

  #spawnTask(conversation: FakeActor, turn: MessageView, taskId: string): FakeActor {
    const input = {
      conversation_id: conversation.id,
      turn_id: turn.turn_id,
      parent_task_id: null,
      text: turn.text,
      mode: 'quick_search' as const,
      auto_start: true,
      created_time: new Date().toISOString(),
      operation_id: 'opr_scripted',
    };
    void this.world.send({
      project: PROJECT,
      to: `task/${taskId}`,
      from: 'system',
      messageId: `create:${taskId}`,
      event: { type: 'task.create' },
      create: { input },
    } as never);
    return this.world.find(PROJECT, `task/${taskId}`)!;
  }
}

class ScriptedJob implements Job {
  readonly taskId: string;
  readonly #product: ScriptedProduct;
  readonly #task: FakeActor;
  readonly #conversation: FakeActor;
  readonly #script: ResearchScript;
  #message: MessageView;

  constructor(
    product: ScriptedProduct,
    task: FakeActor,
    conversation: FakeActor,
    message: MessageView,
    script: ResearchScript,
  ) {
    this.taskId = task.id;
    this.#product = product;
    this.#task = task;
    this.#conversation = conversation;
    this.#message = message;
    this.#script = script;
    for (const source of script.sources) product.shelf.sources.set(source.source_revision_id, source);
  }

  publish(type: string, data: unknown): void {
    this.#task.publish(type, data);
  }

  search(): void {
    const pages = this.#script.sources.map(({ final_url: url, title }) => ({ url, title }));
    this.publish('search.started', { call_id: 'sch_1' });
    this.publish('search.completed', { provider: 'library', queries: [this.#script.query], pages });
    this.publish('wave.opened', { wave: 1, pages });
    this.#task.state['plan'] = pages.map(({ title }, index) => node(index, title, index === 0 ? 'running' : 'waiting'));
  }

  read(count: number): void {
    const { sources, citations } = this.#script;
    for (const source of sources.slice(0, count)) {
      const { final_url: url, title, source_revision_id } = source;
      this.publish('source.read', { url, title, source_revision_id });
    }
    const plan = sources.map(({ title }, index) =>
      node(index, title, index < count ? 'succeeded' : index === count ? 'running' : 'waiting'),
    );
    this.#task.state['plan'] = plan;
    if (count < sources.length) return;
    for (const { evidence_id, quote } of citations) this.publish('evidence.accepted', { evidence_id, quote });
  }

  async finish(): Promise<void> {
    const { citations, markdown } = this.#script;
    for (const one of citations) this.publish('assertion.verified', { assertion_id: `asr_${one.evidence_id}` });
    const gaps = markdown.includes('**') ? [{ what: 'How long each command takes', reason: 'not_found' as const }] : [];
    const artifactId = await this.#product.shelf.addArtifact(this.#message.text || titleOf(this.#conversation), {
      'report.md': markdown,
      'report.html': `<!doctype html><title>report</title><pre>${'x'.repeat(5200)}</pre>`,
      'evidence.json': JSON.stringify(citations, null, 2),
      'sources.json': JSON.stringify(this.#script.sources, null, 2),
    });
    this.publish('artifact.sealed', { artifact_id: artifactId, revision: 1 });
    this.#task.state['plan'] = this.#script.sources.map(({ title }, index) => node(index, title, 'succeeded'));
    this.#end('completed', [
      { kind: 'text', part_id: 'answer-text', markdown },
      { kind: 'citation', part_id: 'answer-citations', task_id: this.taskId, citations: [...citations], gaps },
      {
        kind: 'artifact',
        part_id: 'answer-artifact',
        artifact_id: artifactId,
        revision: 1,
        title: titleOf(this.#conversation),
      },
    ]);
  }

  stopped(): void {
    const markdown = 'Stopped before anything could be verified. Pages read: 1.';
    this.#end('stopped', [{ kind: 'text', part_id: 'answer-text', markdown }]);
  }

  #end(status: TaskStatus, parts: readonly MessagePart[]): void {
    this.#task.state['status'] = status;
    this.#task.state['ended_time'] = new Date().toISOString();
    this.publish(`task.${status}`, { gaps: [], artifacts: [], problem: null });
    this.#message = { ...this.#message, parts: [...this.#message.parts, ...parts] };
    const messages = messagesOf(this.#conversation);
    messages[messages.findIndex((one) => one.message_id === this.#message.message_id)] = this.#message;
    this.#conversation.publish('message.changed', { message: this.#message });
  }
}

const titleOf = (conversation: FakeActor): string => String(conversation.state['title']);

function rename(conversation: FakeActor, title: string): void {
  conversation.state['title'] = title;
  conversation.publish('conversation.renamed', { title });
}

const node = (index: number, label: string, status: PlanNode['status']): PlanNode => ({
  work_item_id: `wrk_scripted-${index}`,
  kind: 'read',
  label,
  wave: 1,
  needs: [],
  status,
  started_time: null,
  ended_time: null,
  reason: null,
});

const viewOf = (actor: FakeActor): TaskView => ({
  ...taskView(actor),
  plan: (actor.state['plan'] ?? []) as PlanNode[],
  ended_time: (actor.state['ended_time'] ?? null) as string | null,
});

function readsOf(world: ActorWorld) {
  const conversationOf = (project: string, id: string) => world.find(project, `conversation/${id}`);
  return {
    conversations: {
      list: async (project: string) => world.ofKind(project, 'conversation').map(conversationView),
      find: async (project: string, id: string) => {
        const actor = conversationOf(project, id);
        return actor === undefined ? null : conversationView(actor);
      },
      messages: async (project: string, id: string) => {
        const actor = conversationOf(project, id);
        return actor === undefined ? [] : messagesOf(actor);
      },
    },
    tasks: {
      list: async (project: string) => world.ofKind(project, 'task').map(viewOf),
      find: async (project: string, id: string) => {
        const actor = world.find(project, `task/${id}`);
        return actor === undefined ? null : viewOf(actor);
      },
    },
  };
}

function systemAfter(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
