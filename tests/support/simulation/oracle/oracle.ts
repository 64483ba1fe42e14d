// The oracle: judges every single call of the store while it takes effect.
//
// Owns:     the list of rules that were broken, its own memory of what happened.
// Owns not: the store, which it must not trust.

import type {
  ActorStore,
  CommitEntry,
  CommitVerdict,
  ConsumedMessage,
  DispatchVerdict,
  EffectKey,
  OutgoingMessage,
  PostAnswer,
  ShardLease,
} from '#contracts/ports/actor-store.ts';
import type { MemoryActorStore } from '#persistence/memory/actor-store.ts';
import { holdsLease, type ActorTables } from '#persistence/memory/actor-tables.ts';
import type { SimProcess, StoreCall } from '../world/sim-process.ts';
import { Commits } from './commits.ts';
import { Effects } from './effects.ts';
import { Messages } from './messages.ts';
import { Problems, refusedRow, type Violation } from './violation.ts';

/** More failed attempts of one mail than any takeover explains. */
const MANY_ATTEMPTS = 80;
/** More questions of one kind without time passing than there can be work. */
const MANY_READINGS = 60;
const READINGS: ReadonlySet<StoreCall> = new Set<StoreCall>(['dueTimers', 'dueEffects', 'loadMail']);

export class Oracle {
  readonly problems = new Problems();
  readonly messages: Messages;
  readonly commits: Commits;
  readonly effects: Effects;
  readonly #store: MemoryActorStore;
  readonly #attempts = new Map<number, number>();
  readonly #nowMs: () => number;
  readonly #readings = new Map<string, number>();
  #readAtMs = 0;
  refusedRows = 0;

  constructor(store: MemoryActorStore, nowMs: () => number) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.messages = new Messages(this.problems, store.tables);
    this.commits = new Commits(this.problems, store.tables, this.messages);
    this.effects = new Effects(this.problems, store.tables, this.messages, nowMs);
  }

  get violation(): Violation | null {
    return this.problems.first;
  }

  asked(process: SimProcess, call: StoreCall, args: readonly unknown[]): void {
    if (call === 'commit') this.commits.asked(process, args[2] as CommitEntry[]);
    if (call === 'dispatchEffect') this.effects.asked(process, args[1] as EffectKey);
    if (READINGS.has(call)) this.#countReading(process, call);
  }

  answered(process: SimProcess, call: StoreCall, args: readonly unknown[], value: unknown): void {
    if (call !== 'commit') return;
    const entries = args[2] as CommitEntry[];
    this.commits.answered(process, entries);
    const verdicts = (value ?? []) as readonly CommitVerdict[];
    this.effects.withdrawn(
      process,
      entries.filter((_, index) => verdicts[index] === 'committed'),
    );
  }

  /** Lets the call take effect and judges it. */
  async apply(process: SimProcess, call: StoreCall, args: readonly unknown[]): Promise<unknown> {
    const store = this.#store;
    switch (call) {
      case 'commit':
        return this.#commit(process, args as unknown as Parameters<ActorStore['commit']>);
      case 'dispatchEffect': {
        const [owner, key] = args as [string, EffectKey];
        const allowed = this.effects.mayDispatch(owner, key);
        const verdict: DispatchVerdict = await store.dispatchEffect(owner, key);
        this.effects.dispatched(process, key, verdict, allowed);
        return verdict;
      }
      case 'completeEffect': {
        const [owner, key, result, mail] = args as Parameters<ActorStore['completeEffect']>;
        const hasLease = this.#holds(owner, key);
        const isDone = await store.completeEffect(owner, key, result, mail);
        if (isDone) this.effects.completed(key, mail, hasLease);
        return isDone;
      }
      case 'retryEffect': {
        const [owner, key, notBeforeMs] = args as Parameters<ActorStore['retryEffect']>;
        const hasLease = this.#holds(owner, key);
        const isDone = await store.retryEffect(owner, key, notBeforeMs);
        if (isDone) this.effects.putBack(key, hasLease);
        return isDone;
      }
      case 'setAsideMail':
        return this.#setAside(args as Parameters<ActorStore['setAsideMail']>);
      case 'post':
        return this.#post(args as Parameters<ActorStore['post']>);
      case 'countAttempt':
        this.#countAttempt(args as Parameters<ActorStore['countAttempt']>);
        break;
      default:
        break;
    }
    return (store[call] as (...rest: readonly unknown[]) => Promise<unknown>)(...args);
  }

  /** A hint that says what happened: it must have. */
  publishing(subject: string, payload: string): void {
    if (subject.startsWith('done.') && payload.startsWith('{"consumed"')) {
      const { consumed } = JSON.parse(payload) as { consumed: ConsumedMessage };
      const messageId = decodeURIComponent(subject.slice(5));
      if (!this.#isTrue(messageId, consumed)) this.problems.add('OB-01', `${messageId} was announced as consumed`);
    }
    if (subject === 'fence') {
      const { scope, generation } = JSON.parse(payload) as { scope: string; generation: number };
      if ((this.#tables.fences.get(scope)?.generation ?? 0) < generation)
        this.problems.add('OB-01', `the fence ${scope} was announced before it moved`);
    }
  }

  get #tables(): ActorTables {
    return this.#store.tables;
  }

  async #commit(process: SimProcess, [owner, commitId, entries]: Parameters<ActorStore['commit']>) {
    if (entries.some((entry) => entry.writes.some(({ table }) => table === 'spoiled'))) {
      this.refusedRows += 1;
      throw refusedRow();
    }
    const allowed = this.commits.before(owner, entries);
    const verdicts: readonly CommitVerdict[] = await this.#store.commit(owner, commitId, entries);
    this.commits.after(process, entries, verdicts, allowed);
    return verdicts;
  }

  async #post([messages]: [readonly OutgoingMessage[]]): Promise<readonly PostAnswer[]> {
    const answers = await this.#store.post(messages);
    messages.forEach((message, index) => {
      const answer = answers[index];
      if (answer?.verdict === 'stored') this.messages.sent({ ...message, mailId: answer.mailId });
    });
    return answers;
  }

  async #setAside([owner, lease, mailId, reason]: [string, ShardLease, number, string]): Promise<boolean> {
    const hasLease = holdsLease(this.#tables, owner, lease.shard, lease.epoch);
    const isDone = await this.#store.setAsideMail(owner, lease, mailId, reason);
    const letter = this.#tables.deadLetters.at(-1);
    if (!isDone || letter === undefined) return isDone;
    if (!hasLease) this.problems.add('LS-03', `mail ${mailId} was set aside without the lease`);
    this.messages.setAside(letter.address, letter.messageId);
    return isDone;
  }

  #countAttempt([, mailId]: [number, number]): void {
    const attempts = (this.#attempts.get(mailId) ?? 0) + 1;
    this.#attempts.set(mailId, attempts);
    if (attempts > MANY_ATTEMPTS) this.problems.add('SV-01', `mail ${mailId} was tried ${attempts} times`);
  }

  #countReading(process: SimProcess, call: StoreCall): void {
    const now = this.#nowMs();
    if (now !== this.#readAtMs) this.#readings.clear();
    this.#readAtMs = now;
    const key = `${process.workerId} ${call}`;
    const count = (this.#readings.get(key) ?? 0) + 1;
    this.#readings.set(key, count);
    if (count > MANY_READINGS) this.problems.add('TM-01', `${key} is asked in circles`);
  }

  #holds(owner: string, { shard, epoch }: EffectKey): boolean {
    return holdsLease(this.#tables, owner, shard, epoch);
  }

  #isTrue(messageId: string, { seq }: ConsumedMessage): boolean {
    for (const cell of this.#tables.cells.values()) if (cell.consumed.get(messageId)?.seq === seq) return true;
    return false;
  }
}
