import { Migration } from '@mikro-orm/migrations';

const PROJECT = 'project text collate "C" not null';
const CREATED = 'created_at timestamptz not null default now()';

/**
 * Tables of the product. Whole views are stored as `json` beside the columns that a query selects or sorts by,
 * so that a read is one select and a document comes back as it was written.
 */
export class DomainTables extends Migration {
  override up(): void {
    this.#conversations();
    this.#tasks();
    this.#research();
    this.#results();
  }

  #conversations(): void {
    this.addSql(`
      create table conversation (
        ${PROJECT}, id text collate "C" not null, title text not null, hidden boolean not null, view json not null,
        updated_at text not null, ${CREATED},
        constraint conversation_pkey primary key (project, id)
      )`);
    this.addSql(`create index conversation_recent_index on conversation (project, updated_at desc)`);
    this.addSql(`
      create table message (
        ${PROJECT}, id text collate "C" not null, conversation_id text collate "C" not null, seq bigint not null,
        author text not null, client_message_id text null, task_id text null, view json not null,
        updated_at text not null, ${CREATED},
        constraint message_pkey primary key (project, id),
        constraint message_client_unique unique (project, conversation_id, client_message_id)
      )`);
    this.addSql(`create index message_order_index on message (project, conversation_id, seq)`);
    this.addSql(`
      create table message_revision (
        ${PROJECT}, id text collate "C" not null, message_id text collate "C" not null, revision integer not null,
        text text not null, mode text null, parts json not null, ${CREATED},
        constraint message_revision_pkey primary key (project, id)
      )`);
    this.addSql(`create index message_revision_message_index on message_revision (project, message_id, revision)`);
    this.addSql(`
      create table turn (
        ${PROJECT}, id text collate "C" not null, conversation_id text collate "C" not null, message_id text not null,
        intent text null, ${CREATED},
        constraint turn_pkey primary key (project, id)
      )`);
  }

  #tasks(): void {
    this.addSql(`
      create table task (
        ${PROJECT}, id text collate "C" not null, conversation_id text null, turn_id text null,
        parent_task_id text null, status text not null, mode text not null, view json not null,
        updated_at text not null, ${CREATED},
        constraint task_pkey primary key (project, id)
      )`);
    this.addSql(`create index task_recent_index on task (project, created_at desc)`);
    this.addSql(
      `create index task_conversation_index on task (project, conversation_id) where conversation_id is not null`,
    );
    this.addSql(`
      create table answer (
        ${PROJECT}, id text collate "C" not null, answer json not null, ${CREATED},
        constraint answer_pkey primary key (project, id)
      )`);
    this.addSql(`
      create table work_item (
        ${PROJECT}, id text collate "C" not null, task_id text collate "C" not null, run_id text null,
        kind text not null, status text not null, started_ms bigint null, ended_ms bigint null, view json not null,
        ${CREATED},
        constraint work_item_pkey primary key (project, id)
      )`);
    this.addSql(`create index work_item_task_index on work_item (project, task_id)`);
    this.addSql(`
      create table search_call (
        ${PROJECT}, id text collate "C" not null, task_id text collate "C" not null, provider text not null,
        query text not null, status text not null, result json null, started_ms bigint not null, ended_ms bigint null,
        ${CREATED},
        constraint search_call_pkey primary key (project, id)
      )`);
    this.addSql(`create index search_call_task_index on search_call (project, task_id)`);
  }

  #research(): void {
    this.addSql(`
      create table source_revision (
        ${PROJECT}, id text collate "C" not null, task_id text null, requested_url text collate "C" not null,
        final_url text not null, parser_version text collate "C" not null, content_hash text not null,
        retrieved_time text collate "C" not null, revision json not null, ${CREATED},
        constraint source_revision_pkey primary key (project, id)
      )`);
    // Addresses may be longer than a b-tree row may be; a hash has no limit.
    this.addSql(`create index source_revision_reuse_index on source_revision using hash (requested_url)`);
    this.addSql(`
      create table task_source (
        ${PROJECT}, task_id text collate "C" not null, source_revision_id text collate "C" not null, ${CREATED},
        constraint task_source_pkey primary key (project, task_id, source_revision_id)
      )`);
    this.addSql(`
      create table evidence (
        ${PROJECT}, id text collate "C" not null, task_id text collate "C" not null,
        source_revision_id text collate "C" not null, evidence json not null, ${CREATED},
        constraint evidence_pkey primary key (project, id)
      )`);
    this.addSql(`create index evidence_task_index on evidence (project, task_id)`);
    this.addSql(`create index evidence_source_index on evidence (project, source_revision_id)`);
    this.addSql(`
      create table assertion (
        ${PROJECT}, id text collate "C" not null, revision integer not null, task_id text collate "C" not null,
        assertion json not null, ${CREATED},
        constraint assertion_pkey primary key (project, id, revision)
      )`);
    this.addSql(`create index assertion_task_index on assertion (project, task_id)`);
  }

  #results(): void {
    this.addSql(`
      create table artifact (
        ${PROJECT}, id text collate "C" not null, task_id text collate "C" not null, status text not null,
        view json not null, ${CREATED},
        constraint artifact_pkey primary key (project, id)
      )`);
    this.addSql(`create index artifact_recent_index on artifact (project, created_at desc)`);
    this.addSql(`
      create table operation (
        ${PROJECT}, id text collate "C" not null, actor text not null, request_id text not null, status text not null,
        result json null, problem json null, ${CREATED},
        constraint operation_pkey primary key (project, id)
      )`);
  }
}
