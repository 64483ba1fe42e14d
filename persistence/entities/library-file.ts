import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const LibraryFileEntity = defineEntity({
  name: 'LibraryFile',
  tableName: 'library_file',
  properties: {
    id: p.integer().primary().autoincrement(),
    rootId: p.text(),
    path: p.text(),
    bytes: p.bigint(),
    modifiedMs: p.bigint(),
    hash: p.text(),
    rules: p.text(),
    skipped: p.text().nullable(),
    title: p.text(),
    language: p.text(),
    titleTerms: p.integer(),
    headingTerms: p.integer(),
    tableHeaderTerms: p.integer(),
    bodyTerms: p.integer(),
    passages: p.json<Json>().columnType('json').nullable(),
  },
  indexes: [
    {
      name: 'library_file_path_index',
      expression: 'create unique index library_file_path_index on library_file (root_id, md5(path))',
    },
  ],
});
