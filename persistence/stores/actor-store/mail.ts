import type pg from 'pg';
import { isOutsideSender } from '#contracts/envelope.ts';
import { fail } from '#contracts/errors.ts';
import type { ActorStore, MailRow, OutgoingMessage, PostAnswer, PostVerdict } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { arrayLiteral, storableText } from '../sql-values.ts';

type Mail = Pick<ActorStore, 'post' | 'reserveMailIds' | 'loadMail' | 'countAttempt' | 'setAsideMail' | 'findConsumed'>;
export type MailParts = {
  readonly writers: StatementPool;
  readonly readers: StatementPool;
  /** Most waiting outside mail of one receiver; operator mail is let in beyond it, so that a stop is never refused. */
  readonly mailboxCap: number;
};

/** What the sequence of mail ids grows by; as many as one reservation gives. */
export const MAIL_IDS_AT_ONCE = 65_536;

// Only the first column may lead the planner to an index: the one of outside message ids, never an actor's whole history.
const sameMessage = (a: string, b: string): string =>
  `${a}.is_outside and ${a}.message_id = ${b}.message_id and ${a}.project || '' = ${b}.project and ${a}.address || '' = ${b}.address`;

const POSTED = `unnest($1::text[], $2::text[], $3::text[], $4::int2[], $5::int2[], $6::text[], $7::json[])
  with ordinality as t (project, address, message_id, shard, priority, payload_hash, envelope, row_number)`;

const INSERT = `
  with t as materialized (select * from ${POSTED}),
  receiver as materialized (select r.project, r.address, (select count(*) from
      (select from mailbox m where m.is_outside and m.project = r.project and m.address = r.address limit $8::int8) waiting) as waiting
    from (select distinct project, address from t where priority > 0) r),
  room as materialized (select t.row_number, t.priority = 0 or r.waiting
      + row_number() over (partition by t.project, t.address order by t.priority desc, t.row_number) <= $8::int8 as fits
    from t left join receiver r using (project, address))
  insert into mailbox (mail_id, project, address, message_id, is_outside, shard, priority, payload_hash, envelope)
  select nextval('mail_id_sequence'), t.project, t.address, t.message_id, true, t.shard, t.priority, t.payload_hash, t.envelope
  from (select t.* from t join room using (row_number)
    where room.fits and not exists (select from transition_log l where ${sameMessage('l', 't')})
    order by t.row_number) t
  on conflict (project, address, message_id) where is_outside do nothing
  returning project, address, message_id`;

// A new snapshot: a message consumed while the insert ran (which then met no row) is found in the log and taken out again.
const SETTLE = `
  with t as materialized (select * from unnest($1::text[], $2::text[], $3::text[])
    with ordinality as t (project, address, message_id, row_number)),
  logged as materialized (select t.row_number, t.project, t.address, t.message_id, l.payload_hash from t
    cross join lateral (select payload_hash from transition_log l where ${sameMessage('l', 't')} limit 1) l),
  gone as (delete from mailbox m using logged l where m.is_outside and m.project = l.project and m.address = l.address
    and m.message_id = l.message_id and m.message_id = any (array(select message_id from logged))
    and m.project = any (array(select project from logged)) and m.address = any (array(select address from logged)))
  select l.payload_hash as consumed, m.payload_hash as waiting, m.mail_id as "mailId" from t
  left join logged l using (row_number)
  left join lateral (select * from mailbox m where m.is_outside and m.project = t.project and m.address = t.address
    and m.message_id = t.message_id limit 1) m on true
  order by t.row_number`;

const KEYS = 'project, address, priority, mail_id, shard';
const PLACE = 'row_number() over (partition by c.project, c.address order by c.priority, c.mail_id) as place';
/** Chosen by their keys alone; only what was chosen is read whole. `limit` keeps each a look-up by key: a kept plan may be as old as the empty table. */
const CHOSEN = `chosen as materialized (select f.* from (select c.*, ${PLACE} from c) f
    where f.place <= $3::int8 order by f.priority, f.mail_id limit $2::int8)`;
const LOADED = `select m.mail_id, m.shard, m.payload_hash, m.attempts, m.envelope`;
const FROM_CHOSEN = `from chosen f cross join lateral (select * from mailbox x
    where x.shard = f.shard and x.priority = f.priority and x.mail_id = f.mail_id limit 1) m
  order by m.priority, m.mail_id`;

/** Looks at the oldest `$4` rows of each shard: bounded work however long the backlog is. */
const LOAD = `
  with c as materialized (select x.* from unnest($1::int2[]) as s (shard) cross join lateral
    (select ${KEYS} from mailbox where shard = s.shard order by priority, mail_id limit $4::int8) x),
  ${CHOSEN}
  ${LOADED}, (select max(n) from (select count(*) as n from c group by c.shard) of_shard) as fullest ${FROM_CHOSEN}`;

/** Looks at all rows: for when the oldest ones belong to few receivers whose mail does not move. */
const LOAD_ALL = `
  with c as (select ${KEYS} from mailbox where shard = any ($1::int2[])),
  ${CHOSEN}
  ${LOADED}, 0 as fullest ${FROM_CHOSEN}`;

type StoredMail = {
  mail_id: number;
  shard: number;
  payload_hash: string;
  attempts: number;
  envelope: MailRow['envelope'];
  /** Rows that the fullest shard gave. */
  fullest: number;
};

export function mailMethods(parts: MailParts): Mail {
  return {
    post: (messages) => postMessages(parts, messages),
    loadMail: (shards, limits) => loadMail(parts, shards, limits),
    async reserveMailIds() {
      const text = `select nextval('mail_id_sequence') as first`;
      const rows = await parts.writers.run<{ first: number }>({ name: 'mail_ids', text, values: [] });
      return { first: rows[0]?.first ?? 0, count: MAIL_IDS_AT_ONCE };
    },
    async countAttempt(shard, mailId) {
      const text = `update mailbox set attempts = attempts + 1
        where shard = $1 and priority in (0, 1) and mail_id = $2 returning attempts`;
      const values = [shard, mailId];
      const rows = await parts.writers.run<{ attempts: number }>({ name: 'mail_attempt', text, values });
      return rows[0]?.attempts ?? 0;
    },
    async setAsideMail(owner, lease, mailId, reason) {
      // Remembered by a log row with a negative seq, which belongs to no commit; so the id of outside mail stays taken.
      const text = `with lease as materialized (select from shard_lease where shard = $2 and epoch = $3 and owner = $1 for share),
        gone as (delete from mailbox m where m.shard = $2 and m.priority in (0, 1) and m.mail_id = $4 and exists (select from lease)
          returning m.mail_id, m.project, m.address, m.message_id, m.is_outside, m.payload_hash, m.envelope),
        letter as (insert into dead_letter (project, address, message_id, envelope, reason, commit_id)
          select project, address, message_id, envelope, $5, '' from gone)
        insert into transition_log (project, address, message_id, is_outside, seq, position, event_seq, sender, event_type,
          payload_hash, outcome, state_before, state_after, detail, reply, duration_micros, def_hash, commit_id)
        select project, address, message_id, is_outside, -mail_id, 0, 0, '', '', payload_hash, 'poisoned', 'null', 'null', 'null',
          'null', 0, '', '' from gone returning 1 as moved`;
      const values = [owner, lease.shard, lease.epoch, mailId, storableText(reason)];
      return (await parts.writers.run({ name: 'mail_set_aside', text, values })).length > 0;
    },
    async findConsumed(project, address, messageId) {
      const text = `select l.outcome, l.seq, l.event_seq as "eventSeq", l.payload_hash as "payloadHash", l.reply
        from (select $1::text as project, $2::text as address, $3::text as message_id) k
        join transition_log l on ${sameMessage('l', 'k')} where l.seq > 0`;
      const values = [project, address, storableText(messageId)];
      const rows = await parts.readers.run<NonNullable<Awaited<ReturnType<Mail['findConsumed']>>>>({
        name: 'mail_consumed',
        text,
        values,
      });
      return rows[0] ?? null;
    },
  };
}

async function loadMail(
  { readers }: MailParts,
  shards: readonly number[],
  limits: { readonly total: number; readonly perActor: number },
): Promise<MailRow[]> {
  if (shards.length === 0) return [];
  const perShard = Math.max(limits.perActor * 2, Math.ceil((limits.total * 4) / shards.length));
  const values = [arrayLiteral(shards), limits.total, limits.perActor];
  let rows = await readers.run<StoredMail>({ name: 'mail_load', text: LOAD, values: [...values, perShard] });
  const fullest = rows[0]?.fullest ?? 0;
  if (rows.length < limits.total && fullest >= perShard) {
    rows = await readers.run<StoredMail>({ name: 'mail_load_all', text: LOAD_ALL, values });
  }
  return rows.map((row) => ({
    mailId: row.mail_id,
    envelope: row.envelope,
    shard: row.shard,
    payloadHash: row.payload_hash,
    attempts: row.attempts,
  }));
}

async function postMessages(parts: MailParts, messages: readonly OutgoingMessage[]): Promise<PostAnswer[]> {
  if (messages.length === 0) return [];
  const inside = messages.find(({ envelope }) => !isOutsideSender(envelope.from));
  if (inside !== undefined) fail('request.forbidden', `'${inside.envelope.from}' cannot be the sender of posted mail`);
  const keys = messages.map(
    ({ envelope }) => [envelope.project, envelope.to, storableText(envelope.messageId)] as const,
  );
  const keyColumns = [0, 1, 2].map((column) => arrayLiteral(keys.map((key) => key[column] ?? '')));
  const values = [
    ...keyColumns,
    arrayLiteral(messages.map(({ shard }) => shard)),
    arrayLiteral(messages.map(({ envelope }) => (envelope.priority === 'operator' ? 0 : 1))),
    arrayLiteral(messages.map(({ payloadHash }) => payloadHash)),
    arrayLiteral(messages.map(({ text }) => text)),
    parts.mailboxCap,
  ];
  const { inserted, settled } = await parts.writers.withClient((client) => insertAndSettle(client, values, keyColumns));
  const fresh = new Set(inserted);
  return messages.map(({ payloadHash }, index) => {
    const found = settled[index] ?? { consumed: null, waiting: null, mailId: null };
    // The first of several messages with a fresh id is the stored one.
    const isFresh = found.consumed === null && found.waiting !== null && fresh.delete(JSON.stringify(keys[index]));
    const verdict = isFresh ? 'stored' : verdictOf(found, payloadHash);
    return { verdict, mailId: isFresh ? (found.mailId ?? 0) : 0 };
  });
}

function verdictOf({ consumed, waiting }: Settled, payloadHash: string): PostVerdict {
  const known = consumed ?? waiting;
  if (known === null) return 'mailbox_full';
  return known === payloadHash ? 'duplicate' : 'conflict';
}

type Settled = { consumed: string | null; waiting: string | null; mailId: number | null };

async function insertAndSettle(
  client: pg.PoolClient,
  values: readonly unknown[],
  keyColumns: readonly string[],
): Promise<{ inserted: string[]; settled: Settled[] }> {
  await client.query('begin');
  const inserted = await client.query<{ project: string; address: string; message_id: string }>({
    name: 'mail_post',
    text: INSERT,
    values: [...values],
  });
  const settled = await client.query<Settled>({ name: 'mail_settle', text: SETTLE, values: [...keyColumns] });
  await client.query('commit');
  const keys = inserted.rows.map((row) => JSON.stringify([row.project, row.address, row.message_id]));
  return { inserted: keys, settled: settled.rows };
}
