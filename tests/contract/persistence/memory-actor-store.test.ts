import { domainTables } from '#persistence/domain-tables.ts';
import { createMemoryActorStore } from '#persistence/memory/actor-store.ts';
import { registerActorStoreSuite } from '#tests/support/suites/actor-store-suite.ts';

registerActorStoreSuite('in memory', () => {
  let nowMs = 1_000_000;
  const policyOf = (table: string) => domainTables.get(table) ?? { key: ['id'], conflict: 'replace' as const };
  const store = createMemoryActorStore({ nowMs: () => (nowMs += 1), policyOf });
  const { tables } = store;
  return Promise.resolve({
    store,
    readRows: (table, project) =>
      Promise.resolve([...(tables.domain.get(table)?.values() ?? [])].filter((row) => row['project'] === project)),
    readSetAside(kind, project) {
      const rows = kind === 'quarantine' ? tables.quarantine : tables.deadLetters;
      const own = rows.filter((row) => row.project === project);
      return Promise.resolve(own.map(({ messageId, reason }) => ({ messageId, reason })));
    },
    close: () => Promise.resolve(),
  });
});
