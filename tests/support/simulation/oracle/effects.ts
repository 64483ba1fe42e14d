// What every effect must keep: dispatched under a lease, sent after that, `once` sent once.

import type { CommitEntry, DispatchVerdict, EffectKey, OutgoingMessage } from '#contracts/ports/actor-store.ts';
import { findCell, holdsLease, isFenceOpen, type ActorTables } from '#persistence/memory/actor-tables.ts';
import { DEFAULT_LIMITS } from '#runtime/host/limits.ts';
import type { SimProcess } from '../world/sim-process.ts';
import type { Messages } from './messages.ts';
import type { Problems } from './violation.ts';

/** So long after its last answered beat a worker may start effects. */
const MAY_START_MS = DEFAULT_LIMITS.deadAfterMs - DEFAULT_LIMITS.beatMs;

export class Effects {
  readonly #problems: Problems;
  readonly #tables: ActorTables;
  readonly #messages: Messages;
  readonly #nowMs: () => number;
  /** Who has the dispatch of an effect, by effect id. */
  readonly #dispatchedBy = new Map<string, { process: SimProcess; shard: number; times: number }>();
  readonly #sent = new Map<string, number>();
  /** Effects whose state was left, as a process was told. */
  readonly #withdrawn = new Map<SimProcess, Set<string>>();
  started = 0;
  unknown = 0;

  constructor(problems: Problems, tables: ActorTables, messages: Messages, nowMs: () => number) {
    this.#problems = problems;
    this.#tables = tables;
    this.#messages = messages;
    this.#nowMs = nowMs;
  }

  asked(process: SimProcess, { address, effectId }: EffectKey): void {
    if (this.#isLate(process)) this.#problems.add('FX-12', `${address}#${effectId} is dispatched without a sure lease`);
  }

  mayDispatch(owner: string, key: EffectKey): { readonly lease: boolean; readonly fence: boolean } {
    const row = findCell(this.#tables, key.project, key.address)?.effects.get(key.effectId)?.row;
    return {
      lease: holdsLease(this.#tables, owner, key.shard, key.epoch),
      fence: row === undefined || isFenceOpen(this.#tables, row.fence),
    };
  }

  dispatched(
    process: SimProcess,
    key: EffectKey,
    verdict: DispatchVerdict,
    allowed: { readonly lease: boolean; readonly fence: boolean },
  ): void {
    if (verdict !== 'dispatched') return;
    const name = nameOf(key);
    if (!allowed.lease) this.#problems.add('LS-03', `${name} was dispatched without the lease`);
    if (!allowed.fence) this.#problems.add('FN-05', `${name} was dispatched after its fence moved`);
    const effect = findCell(this.#tables, key.project, key.address)?.effects.get(key.effectId)?.row;
    const times = (this.#dispatchedBy.get(name)?.times ?? 0) + 1;
    this.#dispatchedBy.set(name, { process, shard: key.shard, times });
    if (effect?.class === 'once' && times > 1)
      this.#problems.add('FX-08', `${name} is 'once' and was dispatched again`);
  }

  /** The far end hears it. */
  sent(process: SimProcess, effectId: string, isOnce: boolean): void {
    const sent = (this.#sent.get(effectId) ?? 0) + 1;
    this.#sent.set(effectId, sent);
    this.started += 1;
    const dispatch = this.#dispatchedBy.get(effectId);
    if (dispatch?.process !== process)
      return this.#problems.add('FX-02', `${effectId} was sent by a process that did not dispatch it`);
    if (this.#withdrawn.get(process)?.has(effectId) === true)
      this.#problems.add('FX-06', `${effectId} was sent after its state was left`);
    if (isOnce && sent > 1) this.#problems.add('FX-08', `${effectId} is 'once' and was sent ${sent} times`);
    if (this.#isLate(process)) this.#problems.add('FX-12', `${effectId} was sent without a sure lease`);
    const owner = this.#tables.leases[dispatch.shard]?.owner;
    if (owner !== process.workerId)
      this.#problems.add('LS-03', `${effectId} was sent by ${process.workerId}, the shard is of ${owner ?? 'nobody'}`);
  }

  withdrawn(process: SimProcess, entries: readonly CommitEntry[]): void {
    const names = this.#withdrawn.get(process) ?? new Set();
    this.#withdrawn.set(process, names);
    for (const { project, address, effectsDeleted } of entries)
      for (const effectId of effectsDeleted) names.add(nameOf({ project, address, effectId }));
  }

  completed(key: EffectKey, mail: OutgoingMessage, hasLease: boolean): void {
    if (!hasLease) this.#problems.add('LS-03', `the result of ${nameOf(key)} was stored without the lease`);
    this.#messages.sent(mail);
    const { event } = mail.envelope as unknown as { event: { result: { failure?: { code: string } } } };
    if (event.result.failure?.code === 'effect.unknown') this.unknown += 1;
  }

  putBack(key: EffectKey, hasLease: boolean): void {
    if (!hasLease) this.#problems.add('LS-03', `${nameOf(key)} was put back without the lease`);
  }

  #isLate(process: SimProcess): boolean {
    return this.#nowMs() >= process.beatAskedAtMs + MAY_START_MS;
  }
}

function nameOf({ project, address, effectId }: Pick<EffectKey, 'project' | 'address' | 'effectId'>): string {
  return `${project}/${address}#${effectId}`;
}
