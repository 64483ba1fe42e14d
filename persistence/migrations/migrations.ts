import type { Migration } from '@mikro-orm/migrations';
import { RuntimeTables } from './0001-runtime-tables.ts';
import { DomainTables } from './0002-domain-tables.ts';
import { LibraryTables } from './0003-library-tables.ts';
import { ShardPools } from './0004-shard-pools.ts';
import { LeanMail } from './0005-lean-mail.ts';
import { Inspection } from './0006-inspection.ts';
import { StreamTime } from './0007-stream-time.ts';
import { LedgerTables } from './0008-ledger-tables.ts';
import { RoleRuns } from './0009-role-runs.ts';
import { ViewerTables } from './0010-viewer-tables.ts';

/** Listed by hand: nothing is found by looking through folders. Append only; a released migration never changes. */
export const migrations: {
  name: string;
  class: new (...args: ConstructorParameters<typeof Migration>) => Migration;
}[] = [
  { name: '0001-runtime-tables', class: RuntimeTables },
  { name: '0002-domain-tables', class: DomainTables },
  { name: '0003-library-tables', class: LibraryTables },
  { name: '0004-shard-pools', class: ShardPools },
  { name: '0005-lean-mail', class: LeanMail },
  { name: '0006-inspection', class: Inspection },
  { name: '0007-stream-time', class: StreamTime },
  { name: '0008-ledger-tables', class: LedgerTables },
  { name: '0009-role-runs', class: RoleRuns },
  { name: '0010-viewer-tables', class: ViewerTables },
];
