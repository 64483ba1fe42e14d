import type { ActorStore, StreamEventRow, TransitionRow } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { ACTOR_COLUMNS, actorRow, type FlatActor } from './actor-rows.ts';

type Methods = Pick<ActorStore, 'readTransitions' | 'listActors' | 'readEvents'>;

const AT_MS = '(extract(epoch from at) * 1000)::int8 as "atMs"';

const TRANSITIONS = `select position as index, message_id as "messageId", sender as from, event_type as "eventType",
    payload_hash as "payloadHash", outcome, state_before as "stateBefore", state_after as "stateAfter", detail, reply,
    duration_micros as "durationMicros", seq, def_hash as "defHash", ${AT_MS}
  from transition_log where project = $1 and address = $2 and seq > $3 and seq > 0 order by seq, position limit $4`;

// An address is `kind/id`, and '0' follows '/': the range holds exactly one kind.
const ACTORS = `select ${ACTOR_COLUMNS} from actor a
  where a.project = $1 and a.address > coalesce($2, '')
    and ($3::text is null or (a.address >= $3 || '/' and a.address < $3 || '0'))
    and ($4::text is null or a.status = $4)
    and ($5::text is null or strpos(lower(a.address), lower($5)) > 0)
  order by a.address limit $6`;

const EVENTS = `select stream, seq, type, data, ${AT_MS} from stream_event
  where project = $1 and stream = $2 and seq > $3 order by seq limit $4`;

export function readingMethods(readers: StatementPool): Methods {
  return {
    readTransitions: (project, address, afterSeq, limit) =>
      readers.run<TransitionRow & { seq: number; defHash: string; atMs: number }>({
        name: 'read_transitions',
        text: TRANSITIONS,
        values: [project, address, afterSeq, limit],
      }),
    async listActors(project, filter) {
      const { after, kind, status, search, limit } = filter;
      const values = [project, after ?? null, kind ?? null, status ?? null, search ?? null, limit];
      const rows = await readers.run<FlatActor>({ name: 'read_actors', text: ACTORS, values });
      return rows.map(actorRow);
    },
    readEvents: (project, stream, afterSeq, limit) =>
      readers.run<StreamEventRow & { atMs: number }>({
        name: 'read_events',
        text: EVENTS,
        values: [project, stream, afterSeq, limit],
      }),
  };
}
