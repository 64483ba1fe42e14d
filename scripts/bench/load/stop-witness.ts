// What the database itself saw of a stop, for counting afterwards what came too late.
//
// A drone's commit, and the dispatch of its effect, lock the row of the fence `for share` until they end; the stop locks it
// exclusively. So once the stop has written that row, everything that got in before it has ended and is visible, and
// everything else waits for the stop and then finds the fence closed. The trigger on `fence` runs exactly then: it keeps a
// snapshot of what is visible. A row of a drone whose transaction is not visible in that snapshot landed after the stop.
// This is the order of transactions, not of clocks, and needs no setting of the server.

import type { BenchDatabase } from '../bench-database.ts';
import { PROJECT } from './load-host.ts';

const TABLES = `
  create table bench_stop (scope text primary key, snapshot pg_snapshot not null, at timestamptz not null);
  create table bench_dispatch (address text not null, xid xid8 not null);
  create function bench_note_stop() returns trigger language plpgsql volatile as $$ begin
    insert into bench_stop values (new.scope, pg_current_snapshot(), clock_timestamp());
    return null;
  end $$;
  create trigger bench_stop after update on fence for each row when (old.open and not new.open)
    execute function bench_note_stop();
  create function bench_note_dispatch() returns trigger language plpgsql volatile as $$ begin
    insert into bench_dispatch values (new.address, pg_current_xact_id());
    return null;
  end $$;
  create trigger bench_dispatch after update of state on effect for each row when (new.state = 'dispatched')
    execute function bench_note_dispatch();`;

// A row keeps the low half of its transaction's number; the bench runs for minutes, so the high half is today's.
const LOG_XID = `((pg_current_xact_id()::text::numeric - pg_current_xact_id()::text::numeric % 4294967296)
  + l.xmin::text::numeric)::text::xid8`;

const COMMITS = `select count(*)::int as total,
    count(*) filter (where not pg_visible_in_snapshot(${LOG_XID}, s.snapshot))::int as late
  from transition_log l cross join bench_stop s
  where l.project = $1 and s.scope = $2 and l.address like $3 and l.outcome <> 'quarantined'`;

const DISPATCHES = `select count(*)::int as total,
    count(*) filter (where not pg_visible_in_snapshot(d.xid, s.snapshot))::int as late
  from bench_dispatch d cross join bench_stop s where s.scope = $1 and d.address like $2`;

type Counted = { readonly total: number; readonly late: number };
export type Witnessed = { readonly commits: Counted; readonly dispatches: Counted };

export async function installWitness(database: BenchDatabase): Promise<void> {
  await database.query(TABLES);
}

/** Steps of drones that landed, and effects of theirs that were sent, in all and after the stop of this scope. */
export async function witnessed(database: BenchDatabase, scope: string): Promise<Witnessed> {
  const drones = `drone/${scope}\\_%`;
  const [commits] = await database.query<Counted>(COMMITS, [PROJECT, scope, drones]);
  const [dispatches] = await database.query<Counted>(DISPATCHES, [scope, drones]);
  if (commits === undefined || dispatches === undefined) throw new Error('nothing was counted');
  return { commits, dispatches };
}
