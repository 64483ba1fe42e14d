// The guards of the runtime, each with what its source looks like without it.
//
// Every entry alone must turn the simulation red (tests/simulation/runtime/mutations.test.ts): no other guard may cover for it.

export type Guard = {
  readonly id: string;
  /** From the project root. */
  readonly file: string;
  /** Found exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
};

const STORE = 'persistence/memory/actor-store.ts';
const ENTRIES = 'persistence/memory/commit-entries.ts';
const RUNNER = 'runtime/host/effect-runner.ts';
const MAIL = 'runtime/host/mail-loop.ts';
const COMMITTER = 'runtime/host/committer.ts';
const RECOVERY = 'runtime/host/recovery.ts';
const RESIDENTS = 'runtime/host/residents.ts';
const TURNS = 'runtime/host/turns.ts';
const HOST = 'runtime/host/actor-host.ts';
const LOADER = 'runtime/host/actor-loader.ts';
const LEASES = 'runtime/host/leases.ts';
const STEP = 'runtime/core/step.ts';

const STORE_GUARDS: readonly Guard[] = [
  {
    id: 'store: epoch of a commit',
    file: ENTRIES,
    text: "if (!holdsLease(tables, owner, entry.shard, entry.epoch)) return 'lost_lease';",
    replacement: '',
  },
  {
    id: 'store: sequence of a commit',
    file: ENTRIES,
    text: "if (seq !== entry.expectedSeq) return 'stale_sequence';",
    replacement: '',
  },
  {
    id: 'store: fence of a commit',
    file: ENTRIES,
    text: "return isFenceOpen(tables, entry.requires) ? 'committed' : 'fence_moved';",
    replacement: "return 'committed';",
  },
  {
    id: 'store: lease of a dispatch',
    file: STORE,
    text: "if (!holdsLease(tables, owner, key.shard, key.epoch)) return 'lost_lease';",
    replacement: '',
  },
  {
    id: 'store: fence of a dispatch',
    file: STORE,
    text: "if (!isFenceOpen(tables, effect.row.fence)) return 'fence_moved';",
    replacement: '',
  },
  {
    id: 'store: once is dispatched once',
    file: STORE,
    text: "if (effect.row.class === 'once' || !isOrphan) return 'already_dispatched';",
    replacement: "if (!isOrphan) return 'already_dispatched';",
  },
  {
    id: 'store: lease of a completion',
    file: STORE,
    text: 'if (found === null || !holdsLease(tables, owner, key.shard, key.epoch)) return false;',
    replacement: 'if (found === null) return false;',
  },
  {
    id: 'store: lease of putting an effect back',
    file: STORE,
    text: 'if (effect === undefined || !holdsLease(tables, owner, key.shard, key.epoch)) return false;',
    replacement: 'if (effect === undefined) return false;',
  },
  {
    id: 'store: lease of setting mail aside',
    file: STORE,
    text: 'if (found === null || !holdsLease(tables, owner, lease.shard, lease.epoch)) return false;',
    replacement: 'if (found === null) return false;',
  },
  {
    id: 'store: every acquisition has an epoch of its own',
    file: STORE,
    text: 'lease.epoch += 1;',
    replacement: 'if (lease.epoch === 0) lease.epoch = 1;',
  },
  {
    id: 'store: a posted message id is taken for ever',
    file: 'persistence/memory/actor-tables.ts',
    text: "if (known !== undefined) return { verdict: known === payloadHash ? 'duplicate' : 'conflict', mailId: 0 };",
    replacement: '',
  },
];

const EFFECT_GUARDS: readonly Guard[] = [
  {
    id: 'effects: what was dispatched by another is not sent',
    file: RUNNER,
    text: "if (effect.class === 'once' && effect.state === 'dispatched' && !this.#unsent.has(key)) {",
    replacement: 'if (false) {',
  },
  {
    id: 'effects: `already_dispatched` is not sent',
    file: RUNNER,
    text: "if (wasUnsent || effect.class === 'idempotent') return true;",
    replacement: 'return true;',
  },
  {
    id: 'effects: a late dispatch strands no effect',
    file: RUNNER,
    text: "if (wasUnsent || effect.class === 'idempotent') return true;",
    replacement: "if (wasUnsent) return true;\n        if (effect.class === 'idempotent') return false;",
  },
  {
    id: 'effects: deadline of the lease before the call',
    file: RUNNER,
    text: "if (!this.#leases.mayDispatch(running.shard)) return await this.#conclude(key, running, notSent('lost'));",
    replacement: '',
  },
  {
    id: 'effects: deadline of the lease before the dispatch',
    file: RUNNER,
    text: 'if (this.#leases.isWorking(due.shard) && !this.#leases.mayDispatch(due.shard)) continue;',
    replacement: '',
  },
  {
    id: 'effects: what was withdrawn meanwhile is not sent',
    file: RUNNER,
    text: 'if (running.aborted !== null) return await this.#conclude(key, running, notSent(running.aborted));',
    replacement: '',
  },
  {
    id: 'step: result of an earlier invocation',
    file: STEP,
    text: "if (state.invokes[invokeId] !== effectId) return refuse('stale', `effect ${effectId} is no longer awaited`);",
    replacement: '',
  },
];

const MAIL_GUARDS: readonly Guard[] = [
  {
    id: 'mail: handed over only when everything older is in memory',
    file: MAIL,
    text: 'if (!isCurrent || !this.#isComplete) {',
    replacement: 'if (!isCurrent) {',
  },
  {
    id: 'mail: handed over only when no shard came since',
    file: MAIL,
    text: 'if (!isCurrent || !this.#isComplete) {',
    replacement: 'if (!this.#isComplete) {',
  },
  {
    id: 'mail: what is left in the store is not overtaken',
    file: MAIL,
    text: 'this.#leaveInStore(resident ?? this.#residents.open(project, to, shard, definition));',
    replacement: '',
  },
  {
    id: 'mail: not handed over after it was consumed',
    file: MAIL,
    text: 'if (this.handOver.isGone(mailId)) return true;',
    replacement: '',
  },
  {
    id: 'mail: not taken when it was consumed while it was read',
    file: MAIL,
    text: 'if (this.handOver.isGone(mailId) || this.#withheld.has(mailId)) continue;',
    replacement: 'if (this.#withheld.has(mailId)) continue;',
  },
  {
    id: 'mail: not taken while it is set aside',
    file: MAIL,
    text: 'if (this.handOver.isGone(mailId) || this.#withheld.has(mailId)) continue;',
    replacement: 'if (this.handOver.isGone(mailId)) continue;',
  },
  {
    id: 'mail: not set aside when it is in memory again',
    file: LOADER,
    text: 'if (this.#residents.find(resident.project, address)?.known.has(input.mailId) === true) return;',
    replacement: '',
  },
  {
    id: 'mail: an old reading is not used',
    file: MAIL,
    text: 'if (!this.handOver.isCurrent(ticket)) return;',
    replacement: '',
  },
  {
    id: 'mail: ids reserved before an acquisition are not used',
    file: 'runtime/host/mail-ids.ts',
    text: 'this.#next = this.#end = 0;',
    replacement: '',
  },
  {
    id: 'mail: a queued message is queued once',
    file: RESIDENTS,
    text: "if (resident.known.has(key)) return 'known';",
    replacement: '',
  },
  {
    id: 'turns: operator mail comes first',
    file: RESIDENTS,
    text: 'if (!mustCreate) return resident.operatorQueue.shift() ?? resident.queue.shift();',
    replacement: 'if (!mustCreate) return resident.queue.shift() ?? resident.operatorQueue.shift();',
  },
  {
    id: 'turns: messages go back in their order',
    file: RESIDENTS,
    text: 'for (const input of inputs.toReversed()) queueOf(resident, input).unshift(input);',
    replacement: 'for (const input of inputs) queueOf(resident, input).unshift(input);',
  },
];

const COMMIT_GUARDS: readonly Guard[] = [
  {
    id: 'commit: nothing leaves before it landed',
    file: HOST,
    text: 'commit: (turn) => committer.add(turn),',
    replacement: `commit: (turn) => {
      const ticket = mail.handOver.begin();
      for (const message of turn.entry.outgoing) mail.deliver(message, ticket);
      mail.handOver.end(ticket);
      committer.add(turn);
    },`,
  },
  {
    id: 'commit: a turn that sets a fence joins no turn that requires one',
    file: COMMITTER,
    text: 'if (setsFence) return batch.every((other) => other.entry.requires === null);',
    replacement: 'if (setsFence) return true;',
  },
  {
    id: 'commit: a turn that requires a fence joins no turn that sets one',
    file: COMMITTER,
    text: 'return turn.entry.requires === null || batch.every((other) => other.entry.fencesSet.length === 0);',
    replacement: 'return true;',
  },
  {
    id: 'commit: an actor that went is not committed',
    file: COMMITTER,
    text: 'batch.filter(({ resident }) => !resident.isGone)',
    replacement: 'batch.filter(() => true)',
  },
  {
    id: 'commit: one bad row gives up one message',
    file: TURNS,
    text: 'if (inputs.length > 1) return this.#takeSingly(resident, inputs);',
    replacement: '',
  },
  {
    id: 'recovery: an unanswered commit that landed is not repeated',
    file: RECOVERY,
    text: 'if (loaded?.row.lastCommitId === commitId) {',
    replacement: 'if (false) {',
  },
  {
    id: 'recovery: an unanswered commit that did not land is repeated',
    file: RECOVERY,
    text: 'if (loaded?.row.lastCommitId === commitId) {',
    replacement: 'if (true) {',
  },
  {
    id: 'recovery: the old statement is shut out first',
    file: RECOVERY,
    text: 'if (held.length > 0) await this.#leases.renew(held);',
    replacement: '',
  },
  {
    id: 'leases: a take-over from itself notices who had the shard in between',
    file: LEASES,
    text: 'epoch !== (this.#epochs.get(shard) ?? 0) + 1',
    replacement: 'false',
  },
  {
    id: 'turns: a failing message is given up',
    file: TURNS,
    text: 'return failed >= this.#parts.limits.attemptsPerMessage;',
    replacement: 'return false;',
  },
  {
    id: 'timers: a firing of an earlier arming',
    file: STEP,
    text: "if (input.kind === 'timer' && draft.state.timers.get(input.timerId)?.occurrence !== input.occurrence) {",
    replacement: "if (input.kind === 'timer' && draft.state.timers.get(input.timerId) === undefined) {",
  },
  {
    id: 'timers: a firing that memory does not know ends',
    file: HOST,
    text: 'timers.skipped(resident.key, input)',
    replacement: 'timers.settled(resident.key, [input], [])',
  },
];

export const GUARDS: readonly Guard[] = [...STORE_GUARDS, ...EFFECT_GUARDS, ...MAIL_GUARDS, ...COMMIT_GUARDS];
