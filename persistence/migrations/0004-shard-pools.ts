import { Migration } from '@mikro-orm/migrations';
import { moveShards } from '../move-shards.ts';

/** Shards belong to pools, and workers say which pools they serve. Every stored address moves to its shard under the new rule. */
export class ShardPools extends Migration {
  override async up(): Promise<void> {
    await moveShards(
      (text, parameters) => this.execute(text, parameters),
      (address) => (address.startsWith('browser-context/') ? 'browser' : 'main'),
    );
    // After the look for living workers, whose beats would wait for this lock.
    await this.execute(`alter table worker add column pools text[] not null default '{}'`);
    await this.execute(`alter table worker alter column pools drop default`);
  }
}
