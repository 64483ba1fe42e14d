// Gateway harness
//
// The real gateway on a free loopback port, in front of in-memory actors, with time that a test owns.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem } from '#contracts/http/system.ts';
import type { ConversationReads, TaskReads } from '#contracts/ports/reads.ts';
import type { ViewerLink } from '#contracts/ports/viewer.ts';
import { silentLogger } from '#contracts/ports/logger.ts';
import type { ModelAdministration } from '#contracts/ports/model-administration.ts';
import { createMemoryDomainRows } from '#persistence/memory/domain-rows.ts';
import { MemoryViewerStore } from '#persistence/memory/viewer-store.ts';
import { ledgerReads } from '#persistence/read-models/ledger-reads.ts';
import { createGateway } from '#gateway/app.ts';
import type { GatewayDependencies } from '#gateway/dependencies.ts';
import type * as z from 'zod';
import { ActorWorld } from './actor-world.ts';
import { conversationBehaviour, conversationView, messagesOf } from './conversation-behaviour.ts';
import { FolderLibrary } from './folder-library.ts';
import { idleInspection } from './idle-inspection.ts';
import { ManualClock } from './manual-clock.ts';
import { ResearchShelf } from './research-shelf.ts';
import { taskBehaviour, taskView } from './task-behaviour.ts';

export const API_TOKEN = 'api-token-of-the-tests-0123456789abcdef0123';
const SESSION_SECRET = 'session-secret-of-the-tests-0123456789abcdef';

export type CallOptions = {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** `token` (default) is a script; `stranger` sends nothing. */
  as?: 'token' | 'stranger';
  signal?: AbortSignal;
};
export type Called<T> = { readonly status: number; readonly headers: Headers; readonly body: T };
export type ProblemBody = z.infer<typeof Problem>;
export type GatewayHarness = Awaited<ReturnType<typeof startGateway>>;

export async function startGateway(overrides: Partial<GatewayDependencies> = {}) {
  const clock = new ManualClock();
  const world = new ActorWorld({ conversation: conversationBehaviour, task: taskBehaviour }, () => clock.nowMs());
  const shelf = new ResearchShelf();
  const library = new FolderLibrary();
  const folder = await makePages();
  const viewer = new MemoryViewerStore(clock);
  const viewerLink = new NotedLink();
  let ids = 0;
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
    models: noModels,
    viewer,
    viewerLink,
    ready: async () => READY,
    metrics: async () => 'yunsou_up 1\n',
    access: { sessionSecret: SESSION_SECRET, apiToken: API_TOKEN, projects: ['default', 'other'] },
    clock,
    randomness: { next: () => 0.5, id: () => `random-id-${String((ids += 1)).padStart(12, '0')}` },
    logger: silentLogger,
    version: '0.0.0-test',
    engine: 'extractive',
    language: 'en',
    staticDir: join(folder, 'client'),
    helpDir: join(folder, 'help'),
    allowedOrigins: [],
    checkAnswers: true,
    ...overrides,
  });
  gateway.attachSockets();
  const { url, port } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  return {
    gateway,
    world,
    clock,
    shelf,
    library,
    viewer,
    viewerLink,
    url,
    port,
    folder,
    call: <T = Record<string, unknown>>(path: string, options: CallOptions = {}) => call<T>(url, path, options),
    /** A stream that the test reads; abort the signal to leave. */
    open: (path: string, options: CallOptions = {}) => fetch(url + path, requestOf(options)),
    async close() {
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

class NotedLink implements ViewerLink {
  readonly wanted: string[] = [];
  stale = 0;
  want(sessionId: string): void {
    this.wanted.push(sessionId);
  }
  countStale(): void {
    this.stale += 1;
  }
}

export const emptyLedger = () => ledgerReads(createMemoryDomainRows(new Map()));
export const noModels: ModelAdministration = {
  view: () => ({ engine: 'extractive', models: [] }),
  probe: () => Promise.resolve(null),
};

const OK = { ok: true, detail: 'fine' };
const READY = { ready: true, database: OK, wire: OK, browser: OK, library: OK, workers: OK, engine: 'extractive' };

function readsOf(world: ActorWorld): { conversations: ConversationReads; tasks: TaskReads } {
  return {
    conversations: {
      list: async (project) => world.ofKind(project, 'conversation').map(conversationView),
      find: async (project, id) => {
        const actor = world.find(project, `conversation/${id}`);
        return actor === undefined ? null : conversationView(actor);
      },
      messages: async (project, id) => {
        const actor = world.find(project, `conversation/${id}`);
        return actor === undefined ? [] : messagesOf(actor);
      },
    },
    tasks: {
      list: async (project, { status, conversationId, limit }) =>
        world
          .ofKind(project, 'task')
          .map(taskView)
          .filter((task) => status === undefined || task.status === status)
          .filter((task) => conversationId === undefined || task.conversation_id === conversationId)
          .slice(0, limit),
      find: async (project, id) => {
        const actor = world.find(project, `task/${id}`);
        return actor === undefined ? null : taskView(actor);
      },
    },
  };
}

function requestOf({ method = 'GET', body, headers = {}, as = 'token', signal }: CallOptions): RequestInit {
  return {
    method,
    redirect: 'manual',
    headers: {
      ...(as === 'token' ? { Authorization: `Bearer ${API_TOKEN}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw(body) ? (body as RequestInit['body'] & {}) : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
}

const isRaw = (body: unknown): boolean => typeof body === 'string' || body instanceof Uint8Array;

async function call<T>(url: string, path: string, options: CallOptions): Promise<Called<T>> {
  const answer = await fetch(url + path, requestOf(options));
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as T };
}

/** For headers and paths that `fetch` refuses to send or tidies up: a forged Host, `..` in a path. */
export function rawCall(
  port: number,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    request.on('error', reject);
    request.end();
  });
}

async function makePages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'yunsou-gateway-'));
  await mkdir(join(folder, 'client/assets'), { recursive: true });
  await mkdir(join(folder, 'help/en'), { recursive: true });
  await mkdir(join(folder, 'help/zh-CN'), { recursive: true });
  const page =
    '<!doctype html><title>app</title><script>document.title = "boot"</script><script src="/assets/a.js"></script>';
  await writeFile(join(folder, 'client/index.html'), page);
  await writeFile(join(folder, 'client/assets/a.js'), 'export const a = 1;');
  await writeFile(join(folder, 'client/secret.pem'), 'not a web file');
  await writeFile(join(folder, 'outside.html'), 'a file outside');
  await writeFile(join(folder, 'help/en/index.html'), '<h1>Help</h1>');
  await writeFile(join(folder, 'help/zh-CN/index.html'), '<h1>帮助</h1>');
  await writeFile(join(folder, 'help/style.css'), 'h1{}');
  return folder;
}
