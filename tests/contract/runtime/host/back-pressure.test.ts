import { describe, expect, it } from 'vitest';
import { shardOf } from '#contracts/shards.ts';
import { ownerOf } from '#runtime/host/rendezvous.ts';
import { floodActor } from '#tests/support/harness/flood-actor.ts';
import { createHarness, type Harness } from '#tests/support/harness/harness.ts';

const CAP = 1000;
const WORKERS = ['worker-1', 'worker-2'].map((id) => ({ id, pools: ['main'] as const }));

/** An address that falls to this worker. */
function addressOn(worker: string): string {
  for (let index = 0; ; index += 1) {
    const address = `flood/f${index}`;
    if (ownerOf(shardOf('p', address), WORKERS) === worker) return address;
  }
}

const source = addressOn('worker-1');
const target = addressOn('worker-2');
const waitingFor = (harness: Harness, address: string): number => harness.cell(address)?.mail.size ?? 0;

async function flooded(limits: object): Promise<Harness> {
  const harness = createHarness({ actors: [floodActor], workers: 2, limits });
  await harness.start();
  await harness.create(source, { self: source, target });
  await harness.create(target, { self: target, target: source });
  // the receiver's worker hangs, too short to be called dead
  harness.freeze(1);
  void harness.host().client.send({
    project: 'p',
    to: source,
    from: 'http',
    messageId: 'go',
    event: { type: 'flood.go' },
  });
  for (let moment = 0; moment < 8; moment += 1) {
    await harness.step(1);
    harness.clock.moveTo(harness.clock.nowMs() + 20);
  }
  return harness;
}

describe('a receiver that does not keep up', () => {
  it('[MB-12] its senders rest, so that its mailbox stays near the cap', async () => {
    const harness = await flooded({ mailboxCap: CAP });
    expect(harness.host().stats().restsForFullReceivers).toBeGreaterThan(0);
    expect(waitingFor(harness, target)).toBeGreaterThan(CAP);
    const without = await flooded({ mailboxCap: 1_000_000 });
    expect(without.host().stats().restsForFullReceivers).toBe(0);
    expect(waitingFor(harness, target)).toBeLessThan(waitingFor(without, target) / 2);
    await harness.stop();
    await without.stop();
  });

  it('[MB-12] a resting sender still takes operator mail at once, and nothing that was sent is lost', async () => {
    const harness = await flooded({ mailboxCap: CAP });
    const stop = { to: source, event: { type: 'flood.stop' }, priority: 'operator' as const };
    await harness.send(stop);
    expect(harness.state(source)).toBe('stopped');
    const sent = harness.outbox(target).length;
    await harness.thaw(1);
    await harness.advance(20_000);
    expect(harness.context<{ drops: number }>(target).drops).toBe(sent);
    expect(waitingFor(harness, target)).toBe(0);
    await harness.stop();
  });
});
