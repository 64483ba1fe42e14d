import type { Json } from '#contracts/json.ts';
import type { OutgoingMessage } from '#contracts/ports/actor-store.ts';
import { shardOf } from '#contracts/shards.ts';
import { addressed } from '#runtime/core/finish-draft.ts';
import { isoTime } from '#runtime/core/iso-time.ts';

type Ask = (sql: string, values: readonly unknown[]) => Promise<unknown>;

/** Many actors at once: copies of the row of one that the runtime made, each in the shard of its own address. */
export async function copyActor(
  ask: Ask,
  project: string,
  original: string,
  addresses: readonly string[],
): Promise<void> {
  const shards = addresses.map((address) => shardOf(project, address));
  const columns = `machine_version, def_hash, status, seq, event_seq, epoch, last_commit_id, snapshot, fence_scope, fence_generation`;
  const sql = `insert into actor (project, address, shard, ${columns})
    select a.project, c.address, c.shard, ${columns.replaceAll(/\b(?=[a-z])(?<![_a-z])/g, 'a.')}
    from actor a cross join unnest($3::text[], $4::int2[]) as c (address, shard) where a.project = $1 and a.address = $2`;
  await ask(sql, [project, original, addresses, shards]);
}

/** A message from outside as the client would store it. */
export function outsideMail(project: string, to: string, messageId: string, event: Json): OutgoingMessage {
  const envelope = {
    messageId,
    project,
    to,
    from: 'http',
    priority: 'normal' as const,
    event: event as { type: string },
    sentAt: isoTime(Date.now()),
  };
  return addressed(envelope, messageId, () => 'main');
}
