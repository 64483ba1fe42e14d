import { Migration } from '@mikro-orm/migrations';

/** Index of the built-in library. All of it can be made again from the files, so there is no history in it. */
export class LibraryTables extends Migration {
  override up(): void {
    this.addSql(`
      create table library_root (
        id text collate "C" not null, kind text not null, label text not null, path text not null,
        approved_ms bigint not null,
        constraint library_root_pkey primary key (id)
      )`);
    this.addSql(`
      create table library_file (
        id serial not null, root_id text collate "C" not null, path text collate "C" not null, bytes bigint not null,
        modified_ms bigint not null, hash text not null, rules text not null, skipped text null,
        title text not null, language text not null, title_terms integer not null, heading_terms integer not null,
        table_header_terms integer not null, body_terms integer not null, passages json null,
        constraint library_file_pkey primary key (id)
      )`);
    // Paths may be longer than an index entry may be.
    this.addSql(`create unique index library_file_path_index on library_file (root_id, md5(path))`);
    this.addSql(`
      create table library_posting (
        term text collate "C" not null, file_id integer not null, title smallint not null, headings smallint not null,
        table_headers smallint not null, body integer not null,
        constraint library_posting_pkey primary key (term, file_id)
      )`);
    this.addSql(`create index library_posting_file_index on library_posting (file_id)`);
  }
}
