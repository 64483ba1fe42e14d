// Rows of actors that have work come into memory here, and mail that no actor can take leaves.
//
// Owns:     reading rows, the patience with mail for an actor that does not exist.
// Owns not: what a restored actor does next (turns).
//
//   UP1  An actor that no code here can continue is committed as needs_migration before anything else.
//   SV2  Mail for an actor that does not exist is tried with every poll; then it is a dead letter.

import type { Failure } from '#contracts/errors.ts';
import type { LoadedActor } from '#contracts/ports/actor-store.ts';
import type { StepInput } from '#runtime/core/actor-state.ts';
import { restoreActor, unbornActor } from '#runtime/core/restore-actor.ts';
import { subjects } from './subjects.ts';
import type { HostParts } from './host-parts.ts';
import type { Leases } from './leases.ts';
import type { Resident, Residents } from './residents.ts';

const ADDRESSES_AT_ONCE = 256;
const RETRY_MS = 200;

export type LoaderCallbacks = {
  readonly wake: (resident: Resident) => void;
  readonly park: (resident: Resident) => void;
  readonly markDirty: (shard: number) => void;
  /** Its mail stays in the store. */
  readonly leave: (resident: Resident) => void;
  /** Mail is about to be set aside and must not be taken before `release`. */
  readonly withhold: (mailId: number) => void;
  readonly release: (mailId: number) => void;
};

export class ActorLoader {
  readonly #parts: HostParts;
  readonly #leases: Leases;
  readonly #residents: Residents;
  readonly #callbacks: LoaderCallbacks;
  #pending = 0;

  constructor(parts: HostParts, leases: Leases, residents: Residents, callbacks: LoaderCallbacks) {
    this.#parts = parts;
    this.#leases = leases;
    this.#residents = residents;
    this.#callbacks = callbacks;
  }

  get isBusy(): boolean {
    return this.#pending > 0;
  }

  load(residents: readonly Resident[]): void {
    const byProject = new Map<string, Resident[]>();
    for (const resident of residents) {
      resident.phase = 'loading';
      const group = byProject.get(resident.project) ?? [];
      byProject.set(resident.project, group);
      group.push(resident);
    }
    for (const [project, group] of byProject) {
      for (let start = 0; start < group.length; start += ADDRESSES_AT_ONCE) {
        void this.#loadGroup(project, group.slice(start, start + ADDRESSES_AT_ONCE));
      }
    }
  }

  /** Brings a row, or its absence, into memory. Also used after a commit of unknown outcome. */
  adopt(resident: Resident, loaded: LoadedActor | undefined): void {
    resident.phase = 'idle';
    if (loaded === undefined) {
      resident.state = this.#unborn(resident);
      return;
    }
    const restored = restoreActor(resident.definition, loaded);
    resident.state = restored.state;
    resident.needsRearm = restored.kind === 'upgraded';
    this.#residents.resize(resident, JSON.stringify(loaded.row.snapshot).length);
    if (restored.kind !== 'needs_migration') return;
    this.#parts.logger.error('actor needs migration', { address: resident.address, reason: restored.reason });
    if (loaded.row.status === 'needs_migration') this.#residents.park(resident);
    else this.#callbacks.park(resident);
  }

  /** No message in memory can create this actor. */
  refuseBirth(resident: Resident, inputs: readonly StepInput[], reason: Failure): void {
    this.#residents.drop(resident);
    this.#callbacks.leave(resident);
    const isMissing = reason.code === 'actor.not_found';
    if (!isMissing) this.#callbacks.markDirty(resident.shard);
    for (const input of inputs) {
      if (input.kind === 'mail') void this.#countBirth(resident, input, reason);
    }
  }

  async #countBirth(resident: Resident, input: StepInput & { kind: 'mail' }, reason: Failure): Promise<void> {
    const { store, limits, logger } = this.#parts;
    const { shard, address } = resident;
    this.#pending += 1;
    try {
      const attempts = await store.countAttempt(shard, input.mailId);
      if (attempts < limits.attemptsPerMessage || this.#leases.epochOf(shard) === null) return;
      // read once more meanwhile: it is taken, or refused and counted again
      if (this.#residents.find(resident.project, address)?.known.has(input.mailId) === true) return;
      this.#callbacks.withhold(input.mailId);
      try {
        await this.#setAside(resident, input, reason);
      } finally {
        this.#callbacks.release(input.mailId);
      }
    } catch (cause) {
      logger.warn('counting an attempt failed', { address, cause: String(cause) });
    } finally {
      this.#pending -= 1;
    }
  }

  /** Asks until it is answered: while a statement may still arrive, its mail must not be taken. */
  async #setAside(resident: Resident, input: StepInput & { kind: 'mail' }, reason: Failure): Promise<void> {
    const { store, workerId, logger, bus, clock } = this.#parts;
    const { shard, address } = resident;
    const { messageId } = input.envelope;
    const why = `${reason.code}: ${reason.message}`;
    logger.warn('mail set aside', { address, messageId, reason: reason.message });
    for (;;) {
      const epoch = this.#leases.epochOf(shard);
      if (epoch === null) return;
      try {
        const isGone = await store.setAsideMail(workerId, { shard, epoch }, input.mailId, why);
        if (isGone) bus.publish(subjects.done(messageId), JSON.stringify({ failure: reason }));
        else this.#leases.doubt();
        return;
      } catch (cause) {
        logger.warn('setting mail aside failed', { address, cause: String(cause) });
        await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
      }
    }
  }

  async #loadGroup(project: string, group: readonly Resident[]): Promise<void> {
    this.#pending += 1;
    try {
      const addresses = group.map((resident) => resident.address);
      const rows = await this.#parts.store.loadActors(project, addresses);
      const byAddress = new Map(rows.map((loaded) => [loaded.row.address, loaded]));
      for (const resident of group) {
        if (resident.phase !== 'loading') continue;
        this.adopt(resident, byAddress.get(resident.address));
        this.#callbacks.wake(resident);
      }
    } catch (cause) {
      this.#parts.logger.warn('reading actors failed', { project, cause: String(cause) });
      this.#parts.clock.after(RETRY_MS, () => {
        for (const resident of group) {
          if (resident.phase === 'loading') resident.phase = 'idle';
          this.#callbacks.wake(resident);
        }
      });
    } finally {
      this.#pending -= 1;
    }
  }

  #unborn(resident: Resident): Resident['state'] {
    const inputs = [...resident.operatorQueue, ...resident.queue];
    const birth = inputs.find((input) => input.kind === 'mail' && input.envelope.create !== undefined);
    if (birth?.kind === 'mail') return unbornActor(resident.definition, birth.envelope, resident.shard);
    const { definition, project, address, shard } = resident;
    const nobody = { project, to: address, from: 'system', messageId: '', priority: 'normal' as const };
    return unbornActor(definition, { ...nobody, event: { type: '' }, sentAt: '' }, shard);
  }
}
