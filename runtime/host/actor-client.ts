// How everybody outside the actors talks to them.
//
//   MB4  A message is answered only after it is stored; the same id with other content is a conflict, for ever.
//   MB5  What no actor may receive is refused here: reserved types, foreign senders, events outside the kind's schema.

import type { ActorAddress, Envelope } from '#contracts/envelope.ts';
import { fail, PlatformError, type Failure } from '#contracts/errors.ts';
import type { ActorClient, ActorMessage, ActorView } from '#contracts/ports/actor-client.ts';
import type { ConsumedMessage, Json, OutgoingMessage, PostAnswer } from '#contracts/ports/actor-store.ts';
import { CREATE_ONLY, EFFECT_RESULT, OPERATOR } from '#runtime/core/actor-state.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { addressed, payloadText } from '#runtime/core/finish-draft.ts';
import { isoTime } from '#runtime/core/iso-time.ts';
import { readSnapshot } from '#runtime/core/restore-actor.ts';
import { hashPayload, kindOf, type HostParts } from './host-parts.ts';
import { subjects } from './subjects.ts';

const ADDRESS = /^[a-z][a-z0-9-]{1,39}\/[A-Za-z0-9_-]{1,120}$/;
const RESERVED_SENDERS = new Set(['timer', 'effect', OPERATOR]);
const FIRST_ASK_MS = 100;
const LAST_ASK_MS = 1000;

/** Stores mail and hands it over. */
export type PostMail = (message: OutgoingMessage) => Promise<PostAnswer | undefined>;
type Hint = { readonly consumed?: ConsumedMessage; readonly failure?: Failure };

export function createActorClient(parts: HostParts, store: PostMail): ActorClient {
  const post = async (message: ActorMessage): Promise<void> => {
    const { contentHash } = message;
    const envelope = envelopeOf(parts, message);
    const outgoing = addressed(envelope, contentHash ?? hashPayload(payloadText(envelope)), parts.poolOf);
    const verdict = (await store(outgoing))?.verdict;
    if (verdict === 'conflict') {
      fail('request.conflict', `message ${message.messageId} was sent before with other content`);
    }
    if (verdict === 'mailbox_full') {
      fail('actor.mailbox_full', `${message.to} has too much mail`, { retry: { kind: 'backoff' } });
    }
  };
  return {
    send: post,
    ask: (message, timeoutMs) => ask(parts, message, timeoutMs, post),
    view: (project, address) => viewActor(parts, project, address),
  };
}

function envelopeOf(parts: HostParts, message: ActorMessage): Envelope {
  const { event, create, ifEventSeq } = message;
  const definition = knownDefinition(parts, message.to);
  if (RESERVED_SENDERS.has(message.from) || message.from.includes('/')) {
    fail('request.forbidden', `'${message.from}' cannot be the sender of outside mail`);
  }
  if (message.messageId.length === 0 || message.messageId.length > 300) {
    fail('request.invalid', 'a message id has 1 to 300 characters');
  }
  checkEvent(definition, event);
  if (create !== undefined) {
    const input = definition.input.safeParse(create.input);
    if (!input.success) fail('request.invalid', `input of ${message.to}: ${input.error.message}`);
  }
  return {
    messageId: message.messageId,
    project: message.project,
    to: message.to,
    from: message.from,
    priority: message.priority ?? 'normal',
    event: event as Envelope['event'],
    ...(create === undefined ? {} : { create: storedCreate(create) }),
    ...(ifEventSeq === undefined ? {} : { ifEventSeq: String(ifEventSeq) }),
    sentAt: isoTime(parts.clock.nowMs()),
  };
}

function checkEvent(definition: ActorDefinition, event: ActorMessage['event']): void {
  if (event.type === CREATE_ONLY) return;
  if (event.type.startsWith('xstate.') || event.type === EFFECT_RESULT || event.type.startsWith('runtime.')) {
    fail('actor.forbidden_event', `'${event.type}' is reserved`);
  }
  const parsed = definition.events.safeParse(event);
  if (!parsed.success) {
    fail('actor.forbidden_event', `'${event.type}' is not an event of '${definition.kind}': ${parsed.error.message}`);
  }
}

function storedCreate(create: NonNullable<ActorMessage['create']>): NonNullable<Envelope['create']> {
  const { input, fence } = create;
  const stored = fence === undefined ? {} : { fence: { scope: fence.scope, generation: String(fence.generation) } };
  return { input: input as never, ...stored };
}

function knownDefinition(parts: HostParts, address: ActorAddress): ActorDefinition {
  if (!ADDRESS.test(address)) fail('request.invalid', `'${address}' is not an address: kind/id`);
  const definition = parts.definitions.get(kindOf(address));
  if (definition === undefined) fail('actor.unknown_kind', `nobody here knows '${kindOf(address)}'`);
  return definition;
}

/** Waits for the hint of the commit, and looks itself in case the hint is lost. */
async function ask(
  parts: HostParts,
  message: ActorMessage,
  timeoutMs: number,
  post: (message: ActorMessage) => Promise<void>,
): Promise<ConsumedMessage> {
  const { store, clock, bus } = parts;
  let cancel = () => {};
  let unsubscribe = () => {};
  const answered = new Promise<ConsumedMessage>((resolve, reject) => {
    const look = async (): Promise<void> => {
      const consumed = await store.findConsumed(message.project, message.to, message.messageId).catch(() => null);
      if (consumed !== null) resolve(consumed);
    };
    unsubscribe = bus.subscribe(subjects.done(message.messageId), (payload) => {
      const hint = (payload === '' ? {} : JSON.parse(payload)) as Hint;
      if (hint.failure !== undefined) reject(new PlatformError(hint.failure));
      else if (hint.consumed !== undefined) resolve(hint.consumed);
      else void look();
    });
    const deadlineMs = clock.nowMs() + timeoutMs;
    const again = (waitMs: number): void => {
      cancel = clock.after(Math.min(waitMs, Math.max(0, deadlineMs - clock.nowMs())), () => {
        void look().then(() => {
          if (clock.nowMs() < deadlineMs) return again(Math.min(waitMs * 2, LAST_ASK_MS));
          reject(timedOut(message, timeoutMs));
        });
      });
    };
    post(message).then(() => {
      again(FIRST_ASK_MS);
      // a repeated message may have been consumed long ago
      return look();
    }, reject);
  });
  try {
    return await answered;
  } finally {
    cancel();
    unsubscribe();
  }
}

function timedOut(message: ActorMessage, timeoutMs: number): PlatformError {
  return new PlatformError({
    code: 'store.unavailable',
    message: `${message.to} did not take message ${message.messageId} within ${timeoutMs} ms; it stays stored`,
    retry: { kind: 'backoff' },
  });
}

async function viewActor(parts: HostParts, project: string, address: ActorAddress): Promise<ActorView | null> {
  const definition = knownDefinition(parts, address);
  const [loaded] = await parts.store.loadActors(project, [address]);
  if (loaded === undefined) return null;
  const { row } = loaded;
  const snapshot = readSnapshot(definition, row);
  return {
    address,
    status: row.status,
    seq: row.seq,
    eventSeq: row.eventSeq,
    state: (snapshot?.value ?? null) as Json,
    view: snapshot === null ? null : (definition.view(snapshot) as Json),
  };
}
