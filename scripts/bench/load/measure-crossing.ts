import type { BenchDatabase } from '../bench-database.ts';
import { Durations } from '../runtime/percentiles.ts';
import { until } from './until.ts';
import type { Fleet } from './fleet.ts';
import { mailTo, PROJECT } from './load-host.ts';

/** Commits carry the time of the database's clock, so one clock times both sides. */
const HOPS = `select extract(epoch from at - lag(at) over (partition by pair order by at)) * 1000 as ms
  from (select l.at, least(l.address, l.sender) || greatest(l.address, l.sender) as pair from transition_log l
    where l.project = $1 and l.event_type = 'rally.ball') hops`;

/**
 * Balls between actors of different worker processes, one ball a pair and one pair after the other: from the commit that sent a message to the
 * commit that consumed it, in the other process.
 */
export async function measureCrossing(database: BenchDatabase, fleet: Fleet, hops: number): Promise<Durations> {
  const { client } = fleet.talker.host;
  const ids = fleet.workerIds;
  const share = Math.ceil(hops / ids.length);
  for (const [index, workerId] of ids.entries()) {
    const partner = ids[(index + 1) % ids.length] ?? workerId;
    const here = fleet.nameOn(workerId, `rally/r${index}a`);
    const there = fleet.nameOn(partner, `rally/r${index}b`);
    await client.ask(mailTo(here, { type: 'runtime.create' }, { partner: there }), 60_000);
    await client.ask(mailTo(there, { type: 'runtime.create' }, { partner: here }), 60_000);
    await client.send(mailTo(here, { type: 'rally.serve', left: share } as { type: string }));
    const isOver = async (): Promise<boolean> => {
      const text = `select from transition_log where project = $1 and address = any ($2) and event_type = 'rally.ball'`;
      return (await database.query(text, [PROJECT, [here, there]])).length >= share;
    };
    await until('the rally is over', isOver, { everyMs: 200, withinMs: 60_000 });
  }
  const durations = new Durations();
  for (const { ms } of await database.query<{ ms: string | null }>(HOPS, [PROJECT])) {
    if (ms !== null) durations.add(Number(ms));
  }
  return durations;
}
