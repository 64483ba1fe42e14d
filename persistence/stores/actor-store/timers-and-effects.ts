import type { FenceState } from '#contracts/effect.ts';
import type { ActorStore, DispatchVerdict, DueEffect, DueTimer, EffectKey } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { arrayLiteral, storableText } from '../sql-values.ts';
import { EFFECT_OBJECT, TIMER_OBJECT } from './actor-rows.ts';

type Methods = Pick<
  ActorStore,
  'dueTimers' | 'nextTimerDueAtMs' | 'dueEffects' | 'dispatchEffect' | 'retryEffect' | 'completeEffect' | 'readFence'
>;

const LEASE = `lease as materialized (select from shard_lease where shard = $2 and epoch = $3 and owner = $1 for share)`;
const ROW = 'x.project = $4 and x.address = $5 and x.effect_id = $6';
const MAY_DISPATCH = `(x.state = 'pending' or (x.class = 'idempotent' and x.dispatched_epoch < $3))`;

// Shard by shard along the index, so that a million that are due cost no more than those that are read.
const DUE_TIMERS = `select x.project, x.address, x.shard, ${TIMER_OBJECT} as timer
  from (select t.* from unnest($1::int2[]) as s (shard) cross join lateral
      (select * from timer where shard = s.shard and due_at_ms <= $2 order by due_at_ms limit $3::int8) t
    order by t.due_at_ms limit $3::int8) x
  order by x.due_at_ms`;

const NEXT_TIMER = `select min(x.due_at_ms) as due from unnest($1::int2[]) as s (shard) cross join lateral
  (select due_at_ms from timer where shard = s.shard order by due_at_ms limit 1) x`;

// Rows dispatched under an older epoch have lost their owner; their time is now.
const DUE_EFFECTS = `select x.project, x.address, x.shard, ${EFFECT_OBJECT} as effect
  from (select e.* from unnest($1::int2[]) as s (shard) cross join lateral (
      (select * from effect where shard = s.shard and state = 'pending' and not_before_ms <= $2
        order by not_before_ms limit $3::int8)
      union all
      (select * from effect where shard = s.shard and state = 'dispatched'
          and dispatched_epoch < (select epoch from shard_lease l where l.shard = s.shard)
        order by not_before_ms limit $3::int8)) e
    order by e.not_before_ms limit $3::int8) x
  order by x.not_before_ms`;

// Fence before effect row, the order in which a commit locks them.
const DISPATCH = `with ${LEASE},
  wanted as materialized (select x.fence_scope, x.fence_generation from effect x where ${ROW}),
  held as materialized (select from fence f join wanted w on f.scope = w.fence_scope and f.generation = w.fence_generation
    where f.open for share of f),
  sent as (update effect x set state = 'dispatched', attempt = x.attempt + 1, dispatched_epoch = $3
    where ${ROW} and exists (select from lease) and ${MAY_DISPATCH}
      and (x.fence_scope is null or exists (select from held))
    returning 1)
  select exists (select from lease) as has_lease, exists (select from wanted) as is_there,
    exists (select from wanted where fence_scope is null) or exists (select from held) as has_fence,
    exists (select from sent) as is_sent`;

type DispatchRow = { has_lease: boolean; is_there: boolean; has_fence: boolean; is_sent: boolean };

export function timerAndEffectMethods(writers: StatementPool, readers: StatementPool): Methods {
  return {
    dueTimers: (shards, nowMs, limit) =>
      readers.run<DueTimer>({ name: 'timer_due', text: DUE_TIMERS, values: [arrayLiteral(shards), nowMs, limit] }),
    async nextTimerDueAtMs(shards) {
      const values = [arrayLiteral(shards)];
      const rows = await readers.run<{ due: number | null }>({ name: 'timer_next', text: NEXT_TIMER, values });
      return rows[0]?.due ?? null;
    },
    dueEffects: (shards, nowMs, limit) =>
      readers.run<DueEffect>({ name: 'effect_due', text: DUE_EFFECTS, values: [arrayLiteral(shards), nowMs, limit] }),
    async dispatchEffect(owner, key) {
      const rows = await writers.run<DispatchRow>({
        name: 'effect_dispatch',
        text: DISPATCH,
        values: keyValues(owner, key),
      });
      return dispatchVerdict(rows[0]);
    },
    async retryEffect(owner, key, notBeforeMs) {
      const text = `with ${LEASE} update effect x set state = 'pending', not_before_ms = $7
        where ${ROW} and x.class = 'idempotent' and exists (select from lease) returning 1`;
      const values = [...keyValues(owner, key), notBeforeMs];
      return (await writers.run({ name: 'effect_retry', text, values })).length > 0;
    },
    async completeEffect(owner, key, _result, mail) {
      const { envelope } = mail;
      const text = `with ${LEASE},
        gone as (delete from effect x where ${ROW} and exists (select from lease) returning 1),
        result as (insert into mailbox (mail_id, project, address, message_id, is_outside, shard, priority, payload_hash, envelope)
          select $12, $7, $8, $9, false, $10, $11, '', $13::json from gone)
        select from gone`;
      const values = [
        ...keyValues(owner, key),
        envelope.project,
        envelope.to,
        storableText(envelope.messageId),
        mail.shard,
        envelope.priority === 'operator' ? 0 : 1,
        mail.mailId,
        mail.text,
      ];
      return (await writers.run({ name: 'effect_complete', text, values })).length > 0;
    },
    readFence: (scope) => readFence(readers, scope),
  };
}

async function readFence(readers: StatementPool, scope: string): Promise<FenceState | null> {
  const text = 'select scope, generation, open from fence where scope = $1';
  const rows = await readers.run<FenceState>({ name: 'fence_read', text, values: [scope] });
  return rows[0] ?? null;
}

function keyValues(owner: string, key: EffectKey): unknown[] {
  return [owner, key.shard, key.epoch, key.project, key.address, key.effectId];
}

function dispatchVerdict(row: DispatchRow | undefined): DispatchVerdict {
  if (row === undefined || !row.has_lease) return 'lost_lease';
  if (row.is_sent) return 'dispatched';
  if (!row.is_there) return 'gone';
  return row.has_fence ? 'already_dispatched' : 'fence_moved';
}
