import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const LedgerEntryEntity = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    taskId: p.text().nullable(),
    reservationId: p.text().nullable(),
    seq: p.bigint('number'),
    kind: p.text(),
    entry: p.json<Json>().columnType('json'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
  indexes: [
    { name: 'ledger_entry_task_index', properties: ['project', 'taskId', 'seq'] },
    { name: 'ledger_entry_order_index', properties: ['project', 'seq'] },
  ],
});
