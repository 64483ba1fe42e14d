import { Migration } from '@mikro-orm/migrations';

const PROJECT = 'project text collate "C" not null';
const CREATED = 'created_at timestamptz not null default now()';

/** What browser sessions show, and who may look. Nothing of it is evidence; all of it is forgotten after a while. */
export class ViewerTables extends Migration {
  override up(): void {
    this.addSql(`
      create table viewer_session (
        ${PROJECT}, id text collate "C" not null, task_id text collate "C" not null, owner text not null,
        frames bigint not null, beat_at timestamptz not null default now(), ended_at timestamptz null, ${CREATED},
        constraint viewer_session_pkey primary key (project, id)
      )`);
    this.addSql(`create index viewer_session_task_index on viewer_session (project, task_id, created_at)`);
    this.addSql(`
      create table viewer_frame (
        ${PROJECT}, session_id text collate "C" not null, seq bigint not null, captured_ms bigint not null,
        document_generation text not null, withheld text null, url text not null, title text not null,
        width integer not null, height integer not null, bytes bytea null, ${CREATED},
        constraint viewer_frame_pkey primary key (project, session_id, seq)
      )`);
    this.addSql(`
      create table viewer_ticket (
        hash text collate "C" not null, ${PROJECT}, session_id text collate "C" not null, subject text not null,
        client_id text not null, scope text not null, expires_ms bigint not null, grant_id text collate "C" null,
        ends_ms bigint null, revoked boolean not null, ${CREATED},
        constraint viewer_ticket_pkey primary key (hash)
      )`);
    this.addSql(`create index viewer_ticket_grant_index on viewer_ticket (grant_id)`);
    this.addSql(`create index viewer_ticket_subject_index on viewer_ticket (subject)`);
  }
}
