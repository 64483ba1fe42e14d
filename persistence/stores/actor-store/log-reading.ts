import type { ActorStore, LoggedTransition, ProjectTransition, StoredSetAside } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { untakenTransition } from '../../untaken-mail.ts';
import { arrayLiteral } from '../sql-values.ts';

type Methods = Pick<ActorStore, 'readTransitions' | 'readProjectLog'>;

const COLUMNS = `position as index, message_id as "messageId", sender as from, event_type as "eventType",
    payload_hash as "payloadHash", outcome, state_before as "stateBefore", state_after as "stateAfter", detail, reply,
    duration_micros as "durationMicros", seq, def_hash as "defHash", (extract(epoch from at) * 1000)::int8 as "atMs"`;

const OF_ACTOR = `select ${COLUMNS} from transition_log
  where project = $1 and address = $2 and (seq, position) > ($3::int8, $4::int4) order by seq, position limit $5`;

// Only the time may lead the planner to an index: the one by time knows no project, the key would be read whole.
const OF_PROJECT = `select address, (extract(epoch from at) * 1000000)::int8 as "atMicros", ${COLUMNS} from transition_log
  where project || '' = $1 and seq > 0 and at >= 'epoch'::timestamptz + $2::int8 * interval '1 microsecond'
    and (at, address, seq, position) > ('epoch'::timestamptz + $2::int8 * interval '1 microsecond', $3, $4::int8, $5::int4)
  order by at, address, seq, position limit $6`;

const LETTERS = `select message_id as "messageId", envelope, reason, (extract(epoch from at) * 1000)::int8 as "atMs"
  from dead_letter where project = $1 and address = $2 and commit_id = '' and message_id = any ($3::text[]) order by id`;

const BEFORE_ALL = { seq: Number.MIN_SAFE_INTEGER, index: 0 };

export function logReadingMethods(readers: StatementPool): Methods {
  return {
    async readTransitions(project, address, after, limit) {
      const { seq, index } = after ?? BEFORE_ALL;
      const values = [project, address, seq, index, limit];
      const rows = await readers.run<LoggedTransition>({ name: 'read_transitions', text: OF_ACTOR, values });
      const untaken = rows.filter((row) => row.seq < 0);
      if (untaken.length === 0) return rows;
      const ids = arrayLiteral(untaken.map(({ messageId }) => messageId));
      const letters = await readers.run<StoredSetAside>({
        name: 'read_untaken',
        text: LETTERS,
        values: [project, address, ids],
      });
      const byId = new Map(letters.map((letter) => [letter.messageId, letter]));
      return rows.map((row) => {
        const letter = row.seq < 0 ? byId.get(row.messageId) : undefined;
        if (letter === undefined) return row;
        return untakenTransition({ ...letter, mailId: -row.seq, payloadHash: row.payloadHash });
      });
    },
    readProjectLog: (project, after, limit) =>
      readers.run<ProjectTransition>({
        name: 'read_project_log',
        text: OF_PROJECT,
        values: [project, after.atMicros, after.address, after.seq, after.index, limit],
      }),
  };
}
