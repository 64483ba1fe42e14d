import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { ConversationDetail } from '#contracts/http/conversations.ts';
import type { LibraryView } from '#contracts/http/library.ts';
import type { ArtifactView, EvidenceView, SourceRevisionView } from '#contracts/http/research.ts';
import type { Problem } from '#contracts/http/system.ts';
import type { TaskDetail } from '#contracts/http/tasks.ts';
import type { TaskEvent } from '#contracts/actors/task.ts';

export type Target = { readonly url: string; readonly token: string };

/** A refusal of the interface, with its reason for people. */
export class Refusal extends Error {
  readonly code: string;
  constructor(problem: Partial<Problem>, status: number) {
    super(problem.detail ?? `the interface answered ${status}`);
    this.code = problem.code ?? 'unknown';
  }
}

/** The interface of the product as a script uses it: the same calls as the screen, with the installation's token. */
export function openApi({ url, token }: Target) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Refusal((await answer.json().catch(() => ({}))) as Partial<Problem>, answer.status);
    return (await answer.json()) as T;
  }

  return {
    library: () => call<z.infer<typeof LibraryView>>('GET', '/library'),
    approve: (path: string) => call<{ root_id: string }>('POST', '/library/roots', { path }),
    createConversation: () => call<{ conversation_id: string }>('POST', '/conversations', {}),
    conversation: (id: string) => call<ConversationDetail>('GET', `/conversations/${id}`),
    postMessage: (id: string, text: string, mode: string) =>
      call('POST', `/conversations/${id}/messages`, { client_message_id: randomUUID(), text, mode }),
    task: (id: string) => call<TaskDetail>('GET', `/tasks/${id}`),
    decide: (id: string) => call('POST', `/tasks/${id}/answer`, { request_id: randomUUID(), decide_for_me: true }),
    cancel: (id: string) => call('POST', `/tasks/${id}/cancel`, { request_id: randomUUID() }),
    stop: (id: string) => call('POST', `/tasks/${id}/stop`, { request_id: randomUUID() }),
    evidence: (id: string) => call<EvidenceView>('GET', `/evidence/${id}`),
    sourceRevision: (id: string) => call<SourceRevisionView>('GET', `/source-revisions/${id}`),
    artifact: (id: string) => call<ArtifactView>('GET', `/artifacts/${id}`),

    file: async (artifactId: string, name: string): Promise<Uint8Array> => {
      const answer = await fetch(`${url}/api/v1/artifacts/${artifactId}/files/${name}`, { headers });
      if (!answer.ok) throw new Refusal({}, answer.status);
      return new Uint8Array(await answer.arrayBuffer());
    },

    /** Events of a task from the first on, as they are committed; ends with the stream. */
    async *events(taskId: string, after: string): AsyncGenerator<TaskEvent> {
      const answer = await fetch(`${url}/api/v1/tasks/${taskId}/events`, {
        headers: { ...headers, accept: 'text/event-stream', 'last-event-id': `${taskId}:${after}` },
      });
      if (!answer.ok || answer.body === null) throw new Refusal({}, answer.status);
      let pending = '';
      for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
        const frames = (pending + chunk).split('\n\n');
        pending = frames.pop() ?? '';
        for (const frame of frames) {
          const data = frame.split('\n').find((line) => line.startsWith('data:'));
          if (data !== undefined) yield JSON.parse(data.slice(5)) as TaskEvent;
        }
      }
    },
  };
}

export type Api = ReturnType<typeof openApi>;
