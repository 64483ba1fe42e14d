import { defineEntity, p } from '@mikro-orm/core';
import type { Json } from '#contracts/json.ts';

export const LedgerAccountEntity = defineEntity({
  name: 'LedgerAccount',
  tableName: 'ledger_account',
  properties: {
    project: p.text().primary(),
    id: p.text().primary(),
    currency: p.text(),
    view: p.json<Json>().columnType('json'),
    updatedAt: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
