import type { ConversationView } from '#contracts/actors/conversation.ts';
import type { ConversationDetail, MessageStored, PostMessage } from '#contracts/http/conversations.ts';
import type { LibraryRootView, LibraryView } from '#contracts/http/library.ts';
import type { ModelProbeView, ModelsView } from '#contracts/http/models.ts';
import type { ArtifactView, SourceRevisionView } from '#contracts/http/research.ts';
import type { Ready, SessionView } from '#contracts/http/system.ts';
import type { OperationAccepted, TaskDetail } from '#contracts/http/tasks.ts';
import { ApiProblem, problemFromBody } from './problem.ts';

/*
 * HTTP as the client speaks it.
 * Owns:     addresses, headers, problem documents → ApiProblem, the time limit of a request.
 * Owns not: repetition (data/pending-commands.ts), what a failure means to people (ui/explain.ts).
 */

const BASE = '/api/v1';
const TIMEOUT_MS = 20_000;
/** A readiness check starts a real browser. */
const READY_TIMEOUT_MS = 60_000;
/** A handful of calls to a model, one after the other. */
const PROBE_TIMEOUT_MS = 200_000;

type RequestOptions = { method?: string; body?: unknown; headers?: Record<string, string>; timeoutMs?: number };

export type TaskCommandName = 'start' | 'pause' | 'resume' | 'stop';

export type Api = ReturnType<typeof createApi>;

export function createApi(fetchImpl: typeof fetch = fetch) {
  async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
    if (options.body !== undefined) headers['content-type'] = 'application/json';
    let response: Response;
    try {
      response = await fetchImpl(BASE + path, {
        method: options.method ?? 'GET',
        headers,
        credentials: 'same-origin',
        signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      });
    } catch (cause) {
      throw new ApiProblem('network.unreachable', 0, cause instanceof Error ? cause.message : String(cause));
    }
    const body: unknown = response.status === 204 ? null : await response.json().catch(() => null);
    if (!response.ok) throw problemFromBody(response.status, body);
    return body as T;
  }
  const post = <T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> =>
    request<T>(path, { method: 'POST', body, headers });
  const segment = encodeURIComponent;

  return {
    session: () => request<SessionView>('/session'),
    signIn: (token: string) => post<SessionView>('/session', { token }),
    conversations: async () => (await request<{ conversations: ConversationView[] }>('/conversations')).conversations,
    conversation: (id: string) => request<ConversationDetail>(`/conversations/${segment(id)}`),
    createConversation: (id: string, title: string) =>
      post<{ conversation_id: string }>('/conversations', { conversation_id: id, title }),
    changeConversation: (id: string, change: { title?: string; hidden?: boolean }) =>
      request<unknown>(`/conversations/${segment(id)}`, { method: 'PATCH', body: change }),
    postMessage: (conversationId: string, body: PostMessage) =>
      post<MessageStored>(`/conversations/${segment(conversationId)}/messages`, body, {
        'idempotency-key': body.client_message_id,
      }),
    task: (id: string) => request<TaskDetail>(`/tasks/${segment(id)}`),
    commandTask: (id: string, command: TaskCommandName, body: { request_id: string }) =>
      post<OperationAccepted>(`/tasks/${segment(id)}/${command}`, body),
    artifacts: async () => (await request<{ artifacts: ArtifactView[] }>('/artifacts')).artifacts,
    artifact: (id: string) => request<ArtifactView>(`/artifacts/${segment(id)}`),
    sourceRevision: (id: string) => request<SourceRevisionView>(`/source-revisions/${segment(id)}`),
    models: () => request<ModelsView>('/models'),
    probeModel: (profile: string) =>
      request<ModelProbeView>(`/models/${segment(profile)}/probe`, { method: 'POST', timeoutMs: PROBE_TIMEOUT_MS }),
    library: () => request<LibraryView>('/library'),
    approveFolder: (path: string) => post<LibraryRootView>('/library/roots', { path }),
    reindexRoot: (id: string) => post<unknown>(`/library/roots/${segment(id)}/reindex`, {}),
    withdrawRoot: (id: string) => request<unknown>(`/library/roots/${segment(id)}`, { method: 'DELETE' }),
    /** The HTML text of a help page; foreign to the client like any page, sanitise it. */
    helpPage: async (address: string) => {
      const response = await fetchImpl(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw problemFromBody(response.status, null);
      return await response.text();
    },
    ready: () => request<Ready>('/ready', { timeoutMs: READY_TIMEOUT_MS }),
  };
}

export const artifactFileUrl = (artifactId: string, name: string): string =>
  `${BASE}/artifacts/${encodeURIComponent(artifactId)}/files/${encodeURIComponent(name)}`;
