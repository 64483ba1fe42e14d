import type { ActorStore, MailRow, StreamEventRow } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { ACTOR_COLUMNS, actorRow, type FlatActor } from './actor-rows.ts';

type Methods = Pick<ActorStore, 'listActors' | 'readEvents' | 'readMail' | 'countMail'>;

const AT_MS = '(extract(epoch from at) * 1000)::int8 as "atMs"';

// An address is `kind/id`, and '0' follows '/': the range holds exactly one kind.
const ACTORS = `select ${ACTOR_COLUMNS} from actor a
  where a.project = $1 and a.address > coalesce($2, '')
    and ($3::text is null or (a.address >= $3 || '/' and a.address < $3 || '0'))
    and ($4::text is null or a.status = $4)
    and ($5::text is null or strpos(lower(a.address), lower($5)) > 0)
  order by a.address limit $6`;

const EVENTS = `select stream, seq, type, data, ${AT_MS} from stream_event
  where project = $1 and stream = $2 and seq > $3 order by seq limit $4`;

// A mailbox is read as the worker reads it: along the key of its shard.
const MAIL = `select mail_id as "mailId", shard, payload_hash as "payloadHash", attempts, envelope from mailbox
  where shard = $3 and (priority, mail_id) > ($4::int2, $5::int8) and project = $1 and address = $2
  order by priority, mail_id limit $6`;

const MAIL_COUNT = `select count(*) as waiting from (select from mailbox
  where shard = $3 and project = $1 and address = $2 limit $4::int8) m`;

export function readingMethods(readers: StatementPool): Methods {
  return {
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
    readMail(project, address, shard, { after, limit }) {
      const priority = after === undefined || after.priority === 'operator' ? 0 : 1;
      const values = [project, address, shard, priority, after?.mailId ?? 0, limit];
      return readers.run<MailRow>({ name: 'read_mail', text: MAIL, values });
    },
    async countMail(project, address, shard, limit) {
      const values = [project, address, shard, limit];
      const rows = await readers.run<{ waiting: number }>({ name: 'count_mail', text: MAIL_COUNT, values });
      return rows[0]?.waiting ?? 0;
    },
  };
}
