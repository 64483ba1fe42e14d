import * as z from 'zod';
import {
  ActorName,
  OperatorActionList,
  OperatorActionQuery,
  OperatorActionView,
  OperatorCommandBody,
  RedriveBody,
  SetAsideList,
  SetAsideQuery,
} from '#contracts/http/actors.ts';
import { DecimalString } from '#contracts/ids.ts';
import type { BackwardPage, SetAsideKind } from '#contracts/ports/actor-store.ts';
import { assertHandled } from '../../commands/outcome.ts';
import { DEFAULT_ASK_TIMEOUT_MS } from '../../dependencies.ts';
import { deriveId } from '../../derived-ids.ts';
import { presentAction } from '../../presenters/actors.ts';
import { assertIdempotencyKey } from '../idempotency-key.ts';
import { readCounter, readLimit } from '../limit.ts';
import { defineRoute, type Gateway, type Route } from '../route.ts';

const command = defineRoute({
  method: 'post',
  path: '/actors/:kind/:id/commands',
  summary: 'An operator command, read before all other mail and kept in the audit',
  access: 'signed_in',
  params: ActorName,
  body: OperatorCommandBody,
  answer: {
    status: 202,
    schema: OperatorActionView,
    description: 'Taken; 403 names the commands that the kind has, 409 when not possible now',
  },
  handle: async (gateway, { project, params, body, caller, ctx }) => {
    assertIdempotencyKey(ctx, body.request_id);
    const order = {
      project,
      address: `${params.kind}/${params.id}`,
      command: body.command,
      requestId: body.request_id,
      operationId: deriveId('opr', [project, params.kind, params.id, body.request_id]),
      caller: caller.kind,
    };
    const { action, consumed } = await gateway.inspection.command(
      order,
      gateway.askTimeoutMs ?? DEFAULT_ASK_TIMEOUT_MS,
    );
    assertHandled(consumed, () => 'in this state');
    return presentAction(action);
  },
});

const actions = defineRoute({
  method: 'get',
  path: '/operator-actions',
  summary: 'What operators did: who, when, what, and how it ended; newest first',
  access: 'signed_in',
  query: OperatorActionQuery,
  answer: { status: 200, schema: OperatorActionList, description: 'Go on with `before=next`' },
  handle: async (gateway, { project, query }) => {
    const page = pageOf(query);
    const rows = await gateway.inspection.listOperatorActions(project, page);
    return { actions: rows.map(presentAction), next: nextOf(rows, page) };
  },
});

const deadLetters = defineRoute({
  method: 'get',
  path: '/dead-letters',
  summary: 'Messages that failed too often or that nobody could take, newest first',
  access: 'signed_in',
  query: SetAsideQuery,
  answer: { status: 200, schema: SetAsideList, description: 'Go on with `before=next`' },
  handle: async (gateway, { project, query }) => listSetAside(gateway, project, 'dead_letter', query),
});

const quarantine = defineRoute({
  method: 'get',
  path: '/quarantine',
  summary: 'Messages whose fence had moved, newest first',
  access: 'signed_in',
  query: SetAsideQuery,
  answer: { status: 200, schema: SetAsideList, description: 'Go on with `before=next`' },
  handle: async (gateway, { project, query }) => listSetAside(gateway, project, 'quarantine', query),
});

const redrive = defineRoute({
  method: 'post',
  path: '/dead-letters/:letter_id/redrive',
  summary: 'Send a dead letter again; the same `request_id` sends it once',
  access: 'signed_in',
  params: z.object({ letter_id: DecimalString }),
  body: RedriveBody,
  answer: { status: 202, schema: OperatorActionView, description: 'Stored; the actor’s log tells how it ended' },
  handle: async (gateway, { project, params, body, caller, ctx }) => {
    assertIdempotencyKey(ctx, body.request_id);
    const order = { project, letterId: readCounter(params.letter_id), requestId: body.request_id, caller: caller.kind };
    return presentAction(await gateway.inspection.redrive(order));
  },
});

async function listSetAside(
  gateway: Gateway,
  project: string,
  kind: SetAsideKind,
  query: z.output<typeof SetAsideQuery>,
): Promise<z.input<typeof SetAsideList>> {
  const page = pageOf(query);
  const rows = await gateway.inspection.listSetAside(project, kind, page);
  const letterIds = kind === 'dead_letter' ? rows.map(({ id }) => id) : [];
  const redrives = await gateway.inspection.listOperatorActions(project, { letterIds, limit: REDRIVES });
  const messages = rows.map(({ id, address, messageId, reason, envelope, atMs }) => ({
    id: String(id),
    actor: address,
    message_id: messageId,
    reason,
    time: new Date(atMs).toISOString(),
    envelope: envelope as never,
    redrives: redrives.filter((action) => action.letterId === id).map(presentAction),
  }));
  return { messages, next: nextOf(rows, page) };
}

/** More of one page's letters than this were sent again by hand only if somebody meant to hide one. */
const REDRIVES = 1000;

function pageOf({ actor, before, limit }: z.output<typeof SetAsideQuery>): BackwardPage {
  return {
    limit: readLimit(limit),
    ...(actor === undefined ? {} : { address: actor }),
    ...(before === undefined ? {} : { beforeId: readCounter(before) }),
  };
}

function nextOf(rows: readonly { readonly id: number }[], { limit }: BackwardPage): string | null {
  const last = rows.at(-1);
  return rows.length < limit || last === undefined ? null : String(last.id);
}

export const operatorRoutes: readonly Route[] = [command, actions, deadLetters, quarantine, redrive];
