import type { ActorStore, CommitEntry, CommitVerdict } from '#contracts/ports/actor-store.ts';
import { entryOf } from './store-builders.ts';

/** What a store must offer to be judged by the suite. */
export type StoreSubject = {
  readonly store: ActorStore;
  /** Rows of a domain table, by any order; columns as written. */
  readRows(table: string, project: string): Promise<readonly { readonly [column: string]: unknown }[]>;
  /** Rows set aside, by message id. */
  readSetAside(
    kind: 'quarantine' | 'dead_letter',
    project: string,
  ): Promise<readonly { messageId: string; reason: string }[]>;
  close(): Promise<void>;
};

let counter = 0;

/** One test's corner of the store: a project, a worker and a shard of its own. */
export class Corner {
  readonly project: string;
  readonly worker: string;
  readonly shard: number;
  readonly store: ActorStore;
  epoch = 0;

  constructor(subject: StoreSubject) {
    counter += 1;
    this.store = subject.store;
    this.project = `p${counter}`;
    this.worker = `worker-${counter}`;
    this.shard = counter % 200;
  }

  async take(): Promise<this> {
    this.epoch = await this.takeAs(this.worker);
    return this;
  }

  /** Every worker counts as dead (`deadAfterMs` 0), so that it can be taken from anybody. */
  async takeAs(worker: string, shard = this.shard): Promise<number> {
    const [lease] = await this.store.acquireShards(worker, [shard], 0);
    return lease?.epoch ?? 0;
  }

  entry(change: Partial<Parameters<typeof entryOf>[0]> & { address: string }): CommitEntry {
    return entryOf({ project: this.project, shard: this.shard, epoch: this.epoch, ...change });
  }

  commit(...entries: CommitEntry[]): Promise<readonly CommitVerdict[]> {
    counter += 1;
    return this.store.commit(this.worker, `commit-${counter}`, entries);
  }

  async seqOf(address: string): Promise<number> {
    const [loaded] = await this.store.loadActors(this.project, [address]);
    return loaded?.row.seq ?? 0;
  }
}
