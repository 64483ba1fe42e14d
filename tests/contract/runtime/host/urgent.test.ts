import { describe, expect, it } from 'vitest';
import type { CommitEntry, CommitVerdict } from '#contracts/ports/actor-store.ts';
import { Committer, type Turn } from '#runtime/host/committer.ts';
import { createHarness } from '#tests/support/harness/harness.ts';
import { jobActor } from '#tests/support/harness/sample-actors.ts';

const CROWD = 1500;

describe('operator mail in a crowd', () => {
  it('[CM-08] takes its turn before all that are ready', async () => {
    const harness = createHarness({ actors: [jobActor], ports: {}, limits: { loadedMail: CROWD * 2, checks: false } });
    await harness.start();
    for (let index = 0; index <= CROWD; index += 1) await harness.create(`job/a${index}`, { name: `a${index}` });
    harness.drop(1);
    for (let index = 0; index < CROWD; index += 1) {
      await harness.inject({
        from: 'job/x',
        to: `job/a${index}`,
        event: { type: 'job.tell', to: 'job/ear', text: '' } as never,
      });
    }
    harness.clock.moveTo(harness.clock.nowMs() + 2000);
    const told = () => harness.outbox('job/ear').map(({ from }) => from);
    while (told().length === 0) await harness.step(1);
    const ready = told().length;
    expect(ready).toBeLessThan(CROWD - 500);
    void harness.host().client.send({
      project: 'p',
      to: `job/a${CROWD}`,
      from: 'person',
      messageId: 'now',
      event: { type: 'job.tell', to: 'job/ear', text: '' } as never,
      priority: 'operator',
    });
    await harness.runUntilIdle();
    expect(told()).toHaveLength(CROWD + 1);
    expect(told().indexOf(`job/a${CROWD}`)).toBeLessThan(ready + 600);
    await harness.stop();
  }, 30_000);
});

describe('the committer', () => {
  it('[CM-08] a turn with operator mail is in the next statement', async () => {
    const { committer, statements } = committerOver();
    for (let index = 0; index < 40; index += 1) committer.add(turn(`a${index}`));
    await statements.settled();
    committer.add(turn('urgent', { priority: 'operator' }));
    await statements.finish(0);
    const next = statements.sent.findIndex((batch) => batch.includes('urgent'));
    expect(statements.sent.slice(0, 2).flat()).not.toContain('urgent');
    expect(next).toBe(2);
    expect(statements.sent[next]?.[0]).toBe('urgent');
  });

  it('[CM-07] what requires a fence waits while it is being set, what requires another does not', async () => {
    const { committer, statements } = committerOver();
    committer.add(turn('setter', { sets: 's' }));
    await statements.settled();
    expect(statements.sent).toEqual([['setter']]);
    committer.add(turn('under', { requires: 's' }));
    committer.add(turn('elsewhere', { requires: 't' }));
    await statements.settled();
    expect(statements.sent).toEqual([['setter'], ['elsewhere']]);
    await statements.finish(0);
    expect(statements.sent).toEqual([['setter'], ['elsewhere'], ['under']]);
  });
});

type Kind = { readonly priority?: 'operator'; readonly sets?: string; readonly requires?: string };

function turn(address: string, { priority, sets, requires }: Kind = {}): Turn {
  const entry = {
    address,
    shard: 0,
    outgoing: [],
    fencesSet: sets === undefined ? [] : [{ scope: sets, generation: 1, open: true }],
    requires: requires === undefined ? null : { scope: requires, generation: 1 },
  };
  const inputs = priority === undefined ? [] : [{ kind: 'mail', envelope: { priority } }];
  const resident = { isGone: false };
  return { resident, entry, inputs, bytes: 1, isSolo: false, sentEpoch: null, isLastResort: false } as unknown as Turn;
}

/** A committer whose statements are answered one by one; eight turns make a batch. */
function committerOver() {
  const sent: string[][] = [];
  const answers: ((verdicts: CommitVerdict[]) => void)[] = [];
  const commit = (_owner: string, _id: string, entries: readonly CommitEntry[]) => {
    sent.push(entries.map(({ address }) => address));
    return new Promise<CommitVerdict[]>((resolve) => answers.push(resolve));
  };
  const limits = { batchEntries: 8, batchBytes: 1000, writers: 2, lingerMs: 0 };
  const parts = { workerId: 'w', store: { commit }, limits, randomness: { id: () => 'c' } };
  const leases = { epochOf: () => 1 };
  const mail = { has: () => true, ids: { has: () => true }, handOver: { begin: () => ({}), end: () => undefined } };
  const callbacks = { settled: () => undefined, refused: () => undefined, unanswered: () => undefined };
  const committer = new Committer(parts as never, leases as never, mail as never, callbacks);
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  const finish = async (index: number): Promise<void> => {
    answers[index]?.((sent[index] ?? []).map(() => 'committed'));
    await settled();
  };
  return { committer, statements: { sent, settled, finish } };
}
