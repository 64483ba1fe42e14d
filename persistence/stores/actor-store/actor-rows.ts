import type { ActorRow, ActorStore, EffectRow, LoadedActor, TimerRow } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { arrayLiteral } from '../sql-values.ts';

export const ACTOR_COLUMNS = `a.project, a.address, a.shard, a.machine_version as "machineVersion", a.def_hash as "defHash",
  a.status, a.seq, a.event_seq as "eventSeq", a.epoch, a.last_commit_id as "lastCommitId", a.snapshot,
  a.fence_scope as "fenceScope", a.fence_generation as "fenceGeneration"`;

export const TIMER_OBJECT = `json_build_object('timerId', x.timer_id, 'occurrence', x.occurrence, 'dueAtMs', x.due_at_ms, 'event', x.event)`;

export const EFFECT_OBJECT = `json_build_object('effectId', x.effect_id, 'invokeId', x.invoke_id, 'src', x.src, 'class', x.class,
  'input', x.input, 'state', x.state, 'attempt', x.attempt, 'notBeforeMs', x.not_before_ms,
  'fence', case when x.fence_scope is null then null
    else json_build_object('scope', x.fence_scope, 'generation', x.fence_generation) end)`;

export type FlatActor = Omit<ActorRow, 'fence'> & { fenceScope: string | null; fenceGeneration: number | null };

export function actorRow(flat: FlatActor): ActorRow {
  const { fenceScope, fenceGeneration, ...row } = flat;
  const fence = fenceScope === null ? null : { scope: fenceScope, generation: fenceGeneration ?? 0 };
  return { ...row, fence };
}

type StoredActor = FlatActor & { timers: TimerRow[]; effects: EffectRow[] };

/** One statement, so that an actor's row, timers and effects are of the same moment. */
export function loadActorsMethod(readers: StatementPool): ActorStore['loadActors'] {
  const ofActor = 'x.project = a.project and x.address = a.address';
  const text = `select ${ACTOR_COLUMNS},
      coalesce((select json_agg(${TIMER_OBJECT} order by x.timer_id) from timer x where ${ofActor}), '[]') as timers,
      coalesce((select json_agg(${EFFECT_OBJECT} order by x.effect_id) from effect x where ${ofActor}), '[]') as effects
    from actor a where a.project = $1 and a.address = any ($2::text[])`;
  return async (project, addresses) => {
    if (addresses.length === 0) return [];
    const values = [project, arrayLiteral(addresses)];
    const rows = await readers.run<StoredActor>({ name: 'actor_load', text, values });
    return rows.map(({ timers, effects, ...flat }): LoadedActor => ({ row: actorRow(flat), timers, effects }));
  };
}
