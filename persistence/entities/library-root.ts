import { defineEntity, p } from '@mikro-orm/core';

export const LibraryRootEntity = defineEntity({
  name: 'LibraryRoot',
  tableName: 'library_root',
  properties: {
    id: p.text().primary(),
    kind: p.text(),
    label: p.text(),
    path: p.text(),
    approvedMs: p.bigint(),
  },
});
