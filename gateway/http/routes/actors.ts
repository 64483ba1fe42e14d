import type * as z from 'zod';
import { fail } from '#contracts/errors.ts';
import {
  ActorDetail,
  ActorList,
  ActorListQuery,
  ActorName,
  MachineGraph,
  MailList,
  MailQuery,
  ProjectLog,
  ProjectLogQuery,
  TransitionList,
  TransitionQuery,
} from '#contracts/http/actors.ts';
import type { ConsumedMail } from '#contracts/ports/actor-store.ts';
import { COMMIT_UNDER_WAY_MS, startOfLog } from '../../inspector/batch.ts';
import {
  cursorOf,
  placeOf,
  presentActor,
  presentActorDetail,
  presentMail,
  presentTransition,
  summarizeTransition,
} from '../../presenters/actors.ts';
import { defineRoute, type Gateway, type Route } from '../route.ts';
import { answerTransitionLines } from '../transition-lines.ts';
import { readCounter, readLimit } from '../limit.ts';

const PROJECT_LOG_FROM_MS = 600_000;

type Name = z.output<typeof ActorName>;
const addressOf = ({ kind, id }: Name): string => `${kind}/${id}`;

const list = defineRoute({
  method: 'get',
  path: '/actors',
  summary: 'Actors of the project by address',
  access: 'signed_in',
  query: ActorListQuery,
  answer: { status: 200, schema: ActorList, description: 'Go on with `after=next`' },
  handle: async (gateway, { project, query }) => {
    const { kind, status, q, after } = query;
    const limit = readLimit(query.limit);
    const actors = await gateway.inspection.listActors(project, {
      limit,
      ...(kind === undefined ? {} : { kind }),
      ...(status === undefined ? {} : { status }),
      ...(q === undefined ? {} : { search: q }),
      ...(after === undefined ? {} : { after }),
    });
    const next = actors.length < limit ? null : (actors.at(-1)?.row.address ?? null);
    return { actors: actors.map(presentActor), next };
  },
});

const machine = defineRoute({
  method: 'get',
  path: '/actors/machines/:kind',
  summary: 'The machine of a kind of actor, for drawing',
  access: 'signed_in',
  params: ActorName.pick({ kind: true }),
  answer: { status: 200, schema: MachineGraph, description: 'State ids are those of the edges in the log' },
  handle: async (gateway, { params }) =>
    gateway.inspection.machine(params.kind) ?? fail('actor.unknown_kind', `nobody here knows '${params.kind}'`),
});

const log = defineRoute({
  method: 'get',
  path: '/actors/transitions',
  summary: 'Transitions of all actors of the project by time',
  access: 'signed_in',
  query: ProjectLogQuery,
  answer: {
    status: 200,
    schema: ProjectLog,
    description:
      'From ten minutes ago, or `after`; what was there before may come again, told apart by actor, seq, index',
  },
  handle: async (gateway, { project, query }) => {
    const nowMs = gateway.clock.nowMs();
    const after = query.after === undefined ? nowMs - PROJECT_LOG_FROM_MS : readCounter(query.after);
    const limit = readLimit(query.limit);
    const place = startOfLog(after);
    const rows = await gateway.inspection.readProjectLog(project, place, limit);
    // what may still be under way is read again, and a millisecond is never left half read
    const lastMs = (rows.at(-1)?.atMs ?? nowMs) - 1;
    const next = Math.max(after, rows.length < limit ? Math.min(lastMs, nowMs - COMMIT_UNDER_WAY_MS) : lastMs);
    return { transitions: rows.map(summarizeTransition), next: String(next) };
  },
});

const get = defineRoute({
  method: 'get',
  path: '/actors/:kind/:id',
  summary: 'One actor: its state, context, timers, effects and waiting mail',
  access: 'signed_in',
  params: ActorName,
  answer: { status: 200, schema: ActorDetail, description: 'As committed' },
  handle: async (gateway, { project, params }) => {
    const actor = await gateway.inspection.readActor(project, addressOf(params));
    return actor === null ? fail('actor.not_found', 'there is no such actor') : presentActorDetail(actor);
  },
});

const transitions = defineRoute({
  method: 'get',
  path: '/actors/:kind/:id/transitions',
  summary: 'What an actor did with each message, oldest first; `format=jsonl` gives all of it for keeping',
  access: 'signed_in',
  params: ActorName,
  query: TransitionQuery,
  answer: { status: 200, schema: TransitionList, description: 'Go on with `after=next`; null: nothing there yet' },
  handle: async (gateway, { project, params, query, ctx }) => {
    const address = addressOf(params);
    const after = query.after === undefined ? null : placeOf(query.after);
    if (query.format === 'jsonl') return answerTransitionLines(gateway, ctx, { project, address, after });
    const rows = await gateway.inspection.readTransitions(project, address, after, readLimit(query.limit));
    const last = rows.at(-1);
    const next = last === undefined ? (query.after ?? null) : cursorOf(last);
    if (last === undefined && after === null) await requireActor(gateway, project, address);
    return { transitions: rows.map((row) => presentTransition(address, row)), next };
  },
});

const mail = defineRoute({
  method: 'get',
  path: '/actors/:kind/:id/mail',
  summary: 'Mail that waits for an actor, in the order it will be read',
  access: 'signed_in',
  params: ActorName,
  query: MailQuery,
  answer: {
    status: 200,
    schema: MailList,
    description: 'Empty when nothing waits, also for an actor that is not there',
  },
  handle: async (gateway, { project, params, query }) => {
    const limit = readLimit(query.limit);
    const after = query.after === undefined ? {} : { after: mailPlaceOf(query.after) };
    const rows = await gateway.inspection.readMail(project, addressOf(params), { ...after, limit });
    const last = rows.length < limit ? undefined : rows.at(-1);
    const next = last === undefined ? null : `${last.envelope.priority === 'operator' ? 'o' : 'n'}${last.mailId}`;
    return { mail: rows.map(presentMail), next };
  },
});

async function requireActor(gateway: Gateway, project: string, address: string): Promise<void> {
  const actor = await gateway.inspection.readActor(project, address);
  if (actor === null) fail('actor.not_found', 'there is no such actor');
}

function mailPlaceOf(cursor: string): ConsumedMail {
  return { priority: cursor.startsWith('o') ? 'operator' : 'normal', mailId: Number(cursor.slice(1)) };
}

export const actorRoutes: readonly Route[] = [list, machine, log, get, transitions, mail];
