// What operators ask of actors.
//
//   1  The action is recorded first. If carrying it out fails then, the same request carries it out when it is repeated.
//   2  Message ids are made of the request id, so that the mailbox itself keeps a repeated order from acting twice.
//   3  A letter is sent again by the sender `operator`, which nobody outside can be; so it may hold what only the runtime sends.

import { Envelope } from '#contracts/envelope.ts';
import { fail } from '#contracts/errors.ts';
import type { ActorClient } from '#contracts/ports/actor-client.ts';
import type { OperatorAction, StoredOperatorAction, StoredSetAside } from '#contracts/ports/actor-store.ts';
import type { OperatorOrder, OrderAnswer, RedriveOrder } from '#contracts/ports/inspection.ts';
import { OPERATOR } from '#runtime/core/actor-state.ts';
import type { ActorDefinition } from '#runtime/core/define-actor.ts';
import { addressed, payloadText } from '#runtime/core/finish-draft.ts';
import { isoTime } from '#runtime/core/iso-time.ts';
import { commandsOf } from '#runtime/core/machine-graph.ts';
import type { PostMail } from './actor-client.ts';
import { hashPayload, kindOf, type HostParts } from './host-parts.ts';

export type InspectionParts = {
  readonly parts: HostParts;
  readonly client: ActorClient;
  readonly post: PostMail;
};

export async function commandActor(
  { parts, client }: InspectionParts,
  order: OperatorOrder,
  timeoutMs: number,
): Promise<OrderAnswer> {
  const { project, address, command, requestId, operationId, caller } = order;
  const definition = parts.definitions.get(kindOf(address));
  if (definition === undefined) fail('actor.unknown_kind', `nobody here knows '${kindOf(address)}'`);
  const event = definition.commands[command] ?? refuseCommand(definition, command);
  if ((await parts.store.loadActors(project, [address])).length === 0) {
    fail('actor.not_found', `${address} does not exist`);
  }
  const messageId = `command:${command}:${requestId}`;
  await record(parts, { project, requestId, command, address, messageId, letterId: null, caller });
  const time = isoTime(parts.clock.nowMs());
  const consumed = await client.ask(
    {
      project,
      to: address,
      from: 'http',
      priority: 'operator',
      messageId,
      event: event({ requestId, operationId, time }),
      contentHash: command,
    },
    timeoutMs,
  );
  return { action: await recorded(parts, project, requestId), consumed };
}

function refuseCommand(definition: ActorDefinition, command: string): never {
  const offered = commandsOf(definition);
  const has = offered.length === 0 ? 'it has no commands' : `it has ${offered.join(', ')}`;
  return fail('actor.forbidden_event', `'${definition.kind}' has no command '${command}'; ${has}`, {
    details: { commands: offered },
  });
}

export async function redriveLetter(
  { parts, post }: InspectionParts,
  order: RedriveOrder,
): Promise<StoredOperatorAction> {
  const { project, letterId, requestId, caller } = order;
  const letter = await parts.store.findSetAside(project, 'dead_letter', letterId);
  if (letter === null) fail('resource.not_found', 'there is no such dead letter');
  const messageId = `redrive:${letterId}:${requestId}`;
  const envelope = envelopeOf(letter, project, messageId, isoTime(parts.clock.nowMs()));
  const address = envelope.to;
  await record(parts, { project, requestId, command: 'redrive', address, messageId, letterId, caller });
  const message = addressed(envelope, hashPayload(payloadText(envelope)), parts.poolOf);
  const answer = await post(message);
  if (answer?.verdict === 'mailbox_full') {
    fail('actor.mailbox_full', `${address} has too much mail`, { retry: { kind: 'backoff' } });
  }
  return recorded(parts, project, requestId);
}

function envelopeOf(letter: StoredSetAside, project: string, messageId: string, sentAt: string): Envelope {
  const parsed = Envelope.safeParse(letter.envelope);
  if (!parsed.success) {
    fail('request.invalid', 'this dead letter is no message that could be sent again; a timer, or unreadable');
  }
  // what it expected of the actor when it was sent is no longer meant
  const { ifEventSeq: _dropped, ...rest } = parsed.data;
  return { ...rest, project, to: letter.address, from: OPERATOR, messageId, sentAt };
}

async function record({ store }: HostParts, action: OperatorAction): Promise<void> {
  if ((await store.recordOperatorAction(action)) === 'conflict') {
    fail('request.conflict', `the request ${action.requestId} was used for another action`);
  }
}

async function recorded({ store }: HostParts, project: string, requestId: string): Promise<StoredOperatorAction> {
  const action = await store.findOperatorAction(project, requestId);
  return (
    action ?? fail('store.unavailable', 'the action was recorded and cannot be read', { retry: { kind: 'backoff' } })
  );
}
