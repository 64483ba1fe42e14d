import { Migration } from '@mikro-orm/migrations';

/** How each role run of a task went: with what it was made, what it was shown, what was refused. */
export class RoleRuns extends Migration {
  override up(): void {
    this.addSql(`
      create table role_run (
        project text collate "C" not null, id text collate "C" not null, task_id text collate "C" not null,
        role text not null, status text not null, record json not null, created_at timestamptz not null default now(),
        constraint role_run_pkey primary key (project, id)
      )`);
    this.addSql(`create index role_run_task_index on role_run (project, task_id)`);
  }
}
