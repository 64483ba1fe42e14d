import { Migration } from '@mikro-orm/migrations';

/**
 * Tables of the durable runtime.
 *
 * Keys are `collate "C"`: compared byte by byte, the same on every server, and ranges over a prefix use the index.
 * Documents are `json`, not `jsonb`: they come back exactly as they were written, key order and U+0000 included.
 */
export class RuntimeTables extends Migration {
  override up(): void {
    this.addSql(`
      create table actor (
        project text collate "C" not null,
        address text collate "C" not null,
        shard smallint not null,
        machine_version integer not null,
        def_hash text not null,
        status text not null,
        seq bigint not null,
        event_seq bigint not null,
        epoch bigint not null,
        last_commit_id text not null,
        snapshot json not null,
        fence_scope text null,
        fence_generation bigint null,
        created_at timestamptz not null default now(),
        constraint actor_pkey primary key (project, address)
      ) with (fillfactor = 70)`);
    this.addSql(`
      create table mailbox (
        mail_id bigserial not null,
        project text collate "C" not null,
        address text collate "C" not null,
        message_id text collate "C" not null,
        shard smallint not null,
        priority smallint not null,
        payload_hash text not null,
        attempts integer not null default 0,
        envelope json not null,
        constraint mailbox_pkey primary key (mail_id),
        constraint mailbox_message_unique unique (project, address, message_id)
      ) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000)`);
    this.addSql(`create index mailbox_arrival_index on mailbox (shard, priority, mail_id)`);
    this.addSql(`
      create table transition_log (
        project text collate "C" not null,
        address text collate "C" not null,
        message_id text collate "C" not null,
        seq bigint not null,
        position integer not null,
        event_seq bigint not null,
        sender text not null,
        event_type text not null,
        payload_hash text not null,
        outcome text not null,
        state_before json not null,
        state_after json not null,
        detail json not null,
        reply json not null,
        duration_micros integer not null,
        def_hash text not null,
        commit_id text not null,
        at timestamptz not null default now(),
        constraint transition_log_pkey primary key (project, address, message_id)
      )`);
    // Partial, so that the look-up of a message id cannot mistake it for its own index and read an actor's whole history.
    this.addSql(
      `create index transition_log_order_index on transition_log (project, address, seq, position) where seq > 0`,
    );
    this.addSql(`
      create table timer (
        project text collate "C" not null,
        address text collate "C" not null,
        timer_id text collate "C" not null,
        shard smallint not null,
        occurrence bigint not null,
        due_at_ms bigint not null,
        event json not null,
        constraint timer_pkey primary key (project, address, timer_id)
      )`);
    this.addSql(`create index timer_due_index on timer (shard, due_at_ms)`);
    this.addSql(`
      create table effect (
        project text collate "C" not null,
        address text collate "C" not null,
        effect_id text collate "C" not null,
        shard smallint not null,
        invoke_id text not null,
        src text not null,
        class text not null,
        input json not null,
        state text not null,
        attempt integer not null,
        not_before_ms bigint not null,
        dispatched_epoch bigint null,
        fence_scope text null,
        fence_generation bigint null,
        constraint effect_pkey primary key (project, address, effect_id)
      )`);
    this.addSql(`create index effect_due_index on effect (shard, state, not_before_ms)`);
    this.addSql(`
      create table fence (
        scope text collate "C" not null,
        generation bigint not null,
        open boolean not null,
        constraint fence_pkey primary key (scope)
      )`);
    this.addSql(`
      create table shard_lease (
        shard smallint not null,
        epoch bigint not null,
        owner text null,
        constraint shard_lease_pkey primary key (shard)
      )`);
    this.addSql(
      `insert into shard_lease (shard, epoch, owner) select shard, 0, null from generate_series(0, 255) as shard`,
    );
    this.addSql(`
      create table worker (
        id text not null,
        beat_at timestamptz not null,
        constraint worker_pkey primary key (id)
      )`);
    this.addSql(`
      create table stream_event (
        project text collate "C" not null,
        stream text collate "C" not null,
        seq bigint not null,
        type text not null,
        data json not null,
        at timestamptz not null default now(),
        constraint stream_event_pkey primary key (project, stream, seq)
      )`);
    for (const table of ['quarantine', 'dead_letter']) {
      this.addSql(`
        create table ${table} (
          id bigserial not null,
          project text collate "C" not null,
          address text collate "C" not null,
          message_id text not null,
          envelope json not null,
          reason text not null,
          commit_id text not null,
          at timestamptz not null default now(),
          constraint ${table}_pkey primary key (id)
        )`);
      this.addSql(`create index ${table}_receiver_index on ${table} (project, address)`);
    }
  }
}
