import { fail } from '#contracts/errors.ts';
import type { InspectionMessage } from '#contracts/sockets/protocol.ts';
import type { GatewayDependencies } from '../dependencies.ts';
import { ActorTail, type TailSource } from '../inspector/actor-tail.ts';
import type { Batch, Sink } from '../inspector/batch.ts';
import { ProjectTail } from '../inspector/project-tail.ts';
import { placeOf, presentTransition } from '../presenters/actors.ts';
import { waitingOf, type GatewaySocket } from './subscription.ts';

const INSPECTOR = 'inspector';
const ACTOR_PREFIX = 'actor:';
const MAX_WAITING = 8;

export const isInspection = (stream: string): boolean => stream === INSPECTOR || stream.startsWith(ACTOR_PREFIX);

/** Opens `inspector` or `actor:KIND/ID` for one socket. Throws when there is nothing to read, or the cursor is ahead of it. */
export async function openInspection(
  gateway: GatewayDependencies,
  socket: GatewaySocket,
  stream: string,
  after: string,
): Promise<{ start(): void; stop(): void }> {
  const { inspection, clock } = gateway;
  const source: TailSource = { inspection, clock, project: socket.data.project };
  if (stream === INSPECTOR) {
    return new ProjectTail(
      source,
      placeOf(after).seq,
      sinkOf(gateway, socket, stream, (line) => line),
    );
  }
  const address = stream.slice(ACTOR_PREFIX.length);
  const actor = await inspection.readActor(source.project, address);
  if (actor === null) fail('resource.not_found', `there is no ${stream}`);
  const place = placeOf(after);
  if (place.seq > actor.row.seq) {
    fail('resource.gone', `the cursor ${after} is ahead of the last commit ${actor.row.seq}`, {
      details: { seq: String(actor.row.seq) },
    });
  }
  const present = sinkOf(gateway, socket, stream, (row: Parameters<typeof presentTransition>[1]) =>
    presentTransition(address, row),
  );
  return new ActorTail(source, address, after === '0' ? null : place, present);
}

function sinkOf<Row>(
  gateway: GatewayDependencies,
  socket: GatewaySocket,
  stream: string,
  present: (row: Row) => InspectionMessage['transitions'][number],
): Sink<Row> {
  return {
    isFree: () => waitingOf(socket) < MAX_WAITING,
    send: ({ rows, cursor, gap }: Batch<Row>) => {
      const told = gap === null ? null : { transitions: gap.transitions, is_exact: gap.isExact, after: gap.after };
      socket.emit('inspect', { stream, cursor, transitions: rows.map(present), gap: told });
    },
    fail: (err) => {
      gateway.logger.warn('a log could not be read; its reader is sent away and returns', { err, stream });
      socket.disconnect(true);
    },
  };
}
