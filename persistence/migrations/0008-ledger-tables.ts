import { Migration } from '@mikro-orm/migrations';

const PROJECT = 'project text collate "C" not null';
const CREATED = 'created_at timestamptz not null default now()';

/** The money of a project: entries that are only added to, and the totals of each task as they are now. */
export class LedgerTables extends Migration {
  override up(): void {
    this.addSql(`
      create table ledger_entry (
        ${PROJECT}, id text collate "C" not null, task_id text collate "C" null, reservation_id text null,
        seq bigint not null, kind text not null, entry json not null, ${CREATED},
        constraint ledger_entry_pkey primary key (project, id)
      )`);
    this.addSql(`create index ledger_entry_task_index on ledger_entry (project, task_id, seq)`);
    this.addSql(`create index ledger_entry_order_index on ledger_entry (project, seq)`);
    this.addSql(`
      create table ledger_account (
        ${PROJECT}, id text collate "C" not null, currency text not null, view json not null, updated_at text not null,
        ${CREATED},
        constraint ledger_account_pkey primary key (project, id)
      )`);
  }
}
