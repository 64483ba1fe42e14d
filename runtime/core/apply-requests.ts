import type { ActorAddress, Envelope, Priority } from '#contracts/envelope.ts';
import { fail } from '#contracts/errors.ts';
import type { FenceRequirement } from '#contracts/effect.ts';
import type { Json } from '#contracts/json.ts';
import { CREATE_ONLY } from './actor-state.ts';
import { isoTime } from './iso-time.ts';
import type { Draft } from './draft.ts';
import type { Request } from './requests.ts';

const ADDRESS = /^[a-z][a-z0-9-]{1,39}\/[A-Za-z0-9_-]{1,120}$/;

/** Refuses what cannot be stored, before anything of the message is. */
export function checkRequests(draft: Draft, requests: readonly Request[]): void {
  for (const request of requests) {
    if (request.request === 'send') checkAddress(request.to);
    if (request.request === 'spawn') checkAddress(`${request.kind}/${request.id}`);
    if (request.request === 'setFence' && request.fence.scope === draft.requires?.scope) {
      fail('actor.defect', `an actor that requires the fence '${request.fence.scope}' cannot set it`);
    }
  }
}

/** Turns requests into rows of the draft, in order; returns the reply. */
export function applyRequests(draft: Draft, requests: readonly Request[], nowMs: number): Json {
  let answer: Json = null;
  for (const request of requests) {
    switch (request.request) {
      case 'send':
        draft.envelopes.push(outgoing(draft, request.to, request.priority, request.event, nowMs));
        break;
      case 'spawn':
        draft.envelopes.push(birthMail(draft, request, nowMs));
        break;
      case 'publish':
        publishEvent(draft, request.type, request.data as Json);
        break;
      case 'write':
        draft.writes.push({ table: request.table, row: request.row as { readonly [column: string]: Json } });
        break;
      case 'reply':
        answer = (request.data ?? null) as Json;
        break;
      case 'setFence':
        draft.fencesSet.push(request.fence);
        break;
    }
  }
  return answer;
}

/** Mail from this actor; its id is `sender:seq:index`, so a repeated step makes the same one. */
export function outgoing(
  draft: Draft,
  to: ActorAddress,
  priority: Priority,
  event: Envelope['event'],
  nowMs: number,
): Envelope {
  return {
    messageId: `${draft.before.address}:${draft.seq}:${draft.envelopes.length}`,
    project: draft.before.project,
    to,
    from: draft.before.address,
    priority,
    event,
    sentAt: isoTime(nowMs),
  };
}

function birthMail(draft: Draft, request: Request & { request: 'spawn' }, nowMs: number): Envelope {
  const to = `${request.kind}/${request.id}`;
  const fence = request.fence === undefined ? draft.state.fence : request.fence;
  return {
    ...outgoing(draft, to, 'normal', { type: CREATE_ONLY }, nowMs),
    create: { input: (request.input ?? null) as never, ...(fence === null ? {} : { fence: fenceAsText(fence) }) },
  };
}

function fenceAsText(fence: FenceRequirement): { scope: string; generation: string } {
  return { scope: fence.scope, generation: String(fence.generation) };
}

function publishEvent(draft: Draft, type: string, data: Json): void {
  const { address, eventSeq } = draft.state;
  const seq = eventSeq + 1;
  draft.published.push({ stream: streamOf(address), seq, type, data: data ?? null });
  draft.state = { ...draft.state, eventSeq: seq };
}

/** The stream of an actor: `kind:id`. */
export function streamOf(address: ActorAddress): string {
  return address.replace('/', ':');
}

function checkAddress(address: string): void {
  if (!ADDRESS.test(address)) fail('actor.defect', `'${address}' is not an address: kind/id`);
}
