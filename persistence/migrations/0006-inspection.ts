import { Migration } from '@mikro-orm/migrations';

/** What operators did, and orders in which people look: the log by time, what was set aside newest first. */
export class Inspection extends Migration {
  override up(): void {
    // Rows come in order of time, so a summary of each block range finds them and costs an insert next to nothing.
    this.addSql(
      `create index transition_log_time_index on transition_log using brin (at) with (pages_per_range = 16, autosummarize = on)`,
    );
    for (const table of ['quarantine', 'dead_letter']) {
      this.addSql(`create index ${table}_order_index on ${table} (project, id)`);
    }
    this.addSql(`
      create table operator_action (
        id bigserial not null,
        project text collate "C" not null,
        request_id text collate "C" not null,
        command text not null,
        address text collate "C" not null,
        message_id text collate "C" not null,
        letter_id bigint null,
        caller text not null,
        at timestamptz not null default now(),
        constraint operator_action_pkey primary key (id),
        constraint operator_action_request_unique unique (project, request_id)
      )`);
    this.addSql(`create index operator_action_order_index on operator_action (project, id)`);
  }
}
