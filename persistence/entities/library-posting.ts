import { defineEntity, p } from '@mikro-orm/core';

export const LibraryPostingEntity = defineEntity({
  name: 'LibraryPosting',
  tableName: 'library_posting',
  properties: {
    term: p.text().primary(),
    fileId: p.integer().primary(),
    title: p.smallint(),
    headings: p.smallint(),
    tableHeaders: p.smallint(),
    body: p.integer(),
  },
  indexes: [{ name: 'library_posting_file_index', properties: ['fileId'] }],
});
