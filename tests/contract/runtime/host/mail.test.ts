import { describe, expect, it } from 'vitest';
import { setup } from 'xstate';
import * as z from 'zod';
import { defineActor } from '#runtime/core/define-actor.ts';
import { createHarness, type HarnessOptions } from '#tests/support/harness/harness.ts';
import { bossActor, jobActor } from '#tests/support/harness/sample-actors.ts';
import { mailOf } from '#tests/support/suites/store-builders.ts';

async function started(options: Partial<HarnessOptions> = {}) {
  const harness = createHarness({ actors: [jobActor, bossActor], ...options });
  await harness.start();
  await harness.create('job/a', { name: 'a' });
  return harness;
}

const oddSetup = setup({
  types: {} as { context: { count: number; value: unknown }; events: { type: 'odd.count' | 'odd.spoil' } },
});

/** Spoils its context on demand: JSON has no BigInt. */
const oddActor = defineActor({
  kind: 'odd',
  version: 1,
  machine: oddSetup.createMachine({
    id: 'odd',
    options: { maxIterations: 10 },
    context: { count: 0, value: null },
    initial: 'open',
    states: { open: {} },
    on: {
      'odd.count': { actions: oddSetup.assign({ count: ({ context }) => context.count + 1 }) },
      'odd.spoil': { actions: oddSetup.assign({ value: 10n }) },
    },
  }),
  input: z.object({}),
  context: z.object({ count: z.number(), value: z.unknown() }),
  events: z.object({ type: z.enum(['odd.count', 'odd.spoil']) }),
  effects: {},
  view: (snapshot) => ({ count: snapshot.context.count }),
});

describe('mail', () => {
  it('[CM-01] an ask returns what the committed transition replied', async () => {
    const harness = await started();
    const answer = await harness.ask({ to: 'job/a', event: { type: 'job.tick' } });
    expect(answer).toMatchObject({ outcome: 'handled', eventSeq: 1, reply: { ticks: 1 } });
    expect(harness.writes('job')).toEqual([{ id: 'a', ticks: 1, project: 'p' }]);
    expect(harness.events('job/a')).toMatchObject([{ seq: 1, type: 'job.ticked' }]);
  });

  it('[MB-01] the same message twice is acted on once and answered from the log', async () => {
    const harness = await started();
    const message = { to: 'job/a', event: { type: 'job.tick' }, messageId: 'same' };
    await harness.ask(message);
    expect(await harness.ask(message)).toMatchObject({ reply: { ticks: 1 } });
    expect(harness.context<{ ticks: number }>('job/a').ticks).toBe(1);
  });

  it('[MB-02] the same id with other content is a conflict', async () => {
    const harness = await started();
    await harness.send({ to: 'job/a', event: { type: 'job.tick' }, messageId: 'same' });
    const other = harness.send({ to: 'job/a', event: { type: 'job.cancel' }, messageId: 'same' });
    await expect(other).rejects.toMatchObject({ failure: { code: 'request.conflict' } });
  });

  it('[MB-03] several messages of one actor are folded into one commit, in order', async () => {
    const harness = await started();
    harness.freeze();
    for (let index = 0; index < 40; index++) {
      await harness.inject({ from: 'job/b', to: 'job/a', event: { type: 'job.say', text: String(index) } as never });
    }
    await harness.thaw();
    const heard = harness.context<{ heard: string[] }>('job/a').heard;
    expect(heard).toEqual(Array.from({ length: 40 }, (_, index) => String(index)));
    const commits = new Set(harness.transitions('job/a').map((row) => row.seq));
    expect(commits.size).toBe(3);
  });

  it('[MB-04] operator mail overtakes a backlog', async () => {
    const harness = await started({ limits: { foldedMessages: 1 } });
    harness.freeze();
    for (let index = 0; index < 10; index++) {
      await harness.inject({ from: 'job/b', to: 'job/a', event: { type: 'job.tick' } });
    }
    await harness.inject({ from: 'http', to: 'job/a', event: { type: 'job.finish' }, priority: 'operator' });
    await harness.thaw();
    expect(harness.outcomes('job/a').slice(0, 3)).toEqual([
      'runtime.create:handled',
      'job.finish:handled',
      'job.tick:dropped_done',
    ]);
  });

  it('[MB-05] a lost hint costs one poll', async () => {
    const harness = await started();
    harness.drop();
    await harness.inject({ from: 'job/b', to: 'job/a', event: { type: 'job.tick' } });
    expect(harness.context<{ ticks: number }>('job/a').ticks).toBe(0);
    await harness.advance(2000);
    expect(harness.context<{ ticks: number }>('job/a').ticks).toBe(1);
  });

  it('[MB-06] a full mailbox refuses outside mail and says so', async () => {
    const harness = await started({ maxMailPerActor: 3 });
    harness.freeze();
    for (let index = 0; index < 3; index++) {
      await harness.inject({ from: 'http', to: 'job/a', event: { type: 'job.tick' } });
    }
    const mail = mailOf({ project: 'p', to: 'job/a', id: 'x', shard: harness.cell('job/a')?.shard ?? 0 });
    const answers = await harness.store.post([mail]);
    expect(answers).toEqual([{ verdict: 'mailbox_full', mailId: 0 }]);
  });

  it('[MB-07] mail between actors is acted on once, however often it is announced', async () => {
    const harness = await started();
    await harness.create('job/b', { name: 'b' });
    await harness.send({ to: 'job/a', event: { type: 'job.tell', to: 'job/b', text: 'hi' } as never });
    await harness.redeliver('job/b');
    expect(harness.context<{ heard: string[] }>('job/b').heard).toEqual(['hi']);
  });

  it('[MB-08] mail for nobody becomes a dead letter after three polls', async () => {
    const harness = await started();
    await harness.send({ to: 'job/a', event: { type: 'job.tell', to: 'job/nobody', text: 'hi' } as never });
    expect(harness.deadLetters).toEqual([]);
    await harness.advance(8000);
    expect(harness.deadLetters).toMatchObject([
      { address: 'job/nobody', reason: expect.stringContaining('actor.not_found') },
    ]);
  });

  it('[MB-09] mail that came before the creation is taken after it', async () => {
    const harness = await started();
    await harness.send({ to: 'job/a', event: { type: 'job.tell', to: 'job/later', text: 'early' } as never });
    await harness.create('job/later', { name: 'later' });
    await harness.advance(2000);
    expect(harness.context<{ heard: string[] }>('job/later').heard).toEqual(['early']);
  });

  it('[MB-13] mail for an unknown kind waits for a worker that knows it, then is a dead letter', async () => {
    const harness = await started({ limits: { unknownKindMs: 60_000 } });
    await harness.inject({ from: 'job/a', to: 'future/x', event: { type: 'future.thing' } });
    await harness.advance(50_000);
    expect(harness.deadLetters).toEqual([]);
    expect(harness.cell('future/x')?.mail.size).toBe(1);
    await harness.advance(20_000);
    expect(harness.deadLetters).toMatchObject([
      { address: 'future/x', reason: expect.stringContaining('actor.unknown_kind') },
    ]);
  });

  it('[MB-10] reserved events and senders are refused at the edge', async () => {
    const harness = await started();
    const send = (message: object) => harness.send({ to: 'job/a', event: { type: 'job.tick' }, ...message });
    const code = (value: string) => ({ failure: { code: value } });
    await expect(send({ event: { type: 'xstate.done.actor.fetch' } })).rejects.toMatchObject(
      code('actor.forbidden_event'),
    );
    await expect(send({ event: { type: 'effect.result' } })).rejects.toMatchObject(code('actor.forbidden_event'));
    await expect(send({ event: { type: 'other.thing' } })).rejects.toMatchObject(code('actor.forbidden_event'));
    await expect(send({ from: 'job/b' })).rejects.toMatchObject(code('request.forbidden'));
    await expect(send({ to: 'nothing/x' })).rejects.toMatchObject(code('actor.unknown_kind'));
  });

  it('[SV-01] a message that always fails becomes a dead letter and the actor goes on', async () => {
    const harness = await started();
    const asked = await harness.ask({ to: 'job/a', event: { type: 'job.explode' } });
    expect(asked.outcome).toBe('poisoned');
    await harness.send({ to: 'job/a', event: { type: 'job.tick' } });
    expect(harness.deadLetters).toMatchObject([{ address: 'job/a', reason: expect.stringContaining('boom') }]);
    expect(harness.context<{ ticks: number }>('job/a').ticks).toBe(1);
  });

  it('[SV-02] a row that cannot be read strands nobody', async () => {
    const harness = await started();
    const cell = harness.cell('job/a');
    cell?.mail.set(1e6, {
      mailId: 1e6,
      isOutside: false,
      envelope: { garbage: true } as never,
      shard: cell.shard,
      payloadHash: '',
      attempts: 0,
    });
    await harness.inject({ from: 'job/b', to: 'job/a', event: { type: 'job.tick' } });
    expect(harness.context<{ ticks: number }>('job/a').ticks).toBe(1);
  });

  it('[PS-01] residents are capped and come back when needed', async () => {
    const harness = await started({ limits: { residentActors: 5 } });
    for (let index = 0; index < 20; index++) await harness.create(`job/n${index}`, { name: `n${index}` });
    expect(harness.host().stats().residents).toBeLessThanOrEqual(5);
    for (let index = 0; index < 20; index++) await harness.send({ to: `job/n${index}`, event: { type: 'job.tick' } });
    for (let index = 0; index < 20; index++) expect(harness.context<{ ticks: number }>(`job/n${index}`).ticks).toBe(1);
  });

  it('[PS-02] a snapshot beyond the limit is refused alone, and an operator stop still commits', async () => {
    const harness = await started();
    await harness.send({ to: 'job/a', event: { type: 'job.note', text: 'x'.repeat(900_000) } as never });
    await harness.send({ to: 'job/a', event: { type: 'job.say', text: 'y'.repeat(300_000) } as never });
    expect(harness.outcomes('job/a').at(-1)).toBe('job.say:poisoned');
    expect(harness.deadLetters[0]?.reason).toContain('actor.snapshot_too_large');
    await harness.send({ to: 'job/a', event: { type: 'job.finish' }, priority: 'operator' });
    expect(harness.status('job/a')).toBe('done');
  });

  it('[PS-03] a message that is too large to store is given up alone, with what was too large', async () => {
    const harness = await started();
    const text = 'z'.repeat(1_100_000);
    const asked = await harness.ask({ to: 'job/a', event: { type: 'job.tell', to: 'job/b', text } as never });
    expect(asked.outcome).toBe('poisoned');
    expect(JSON.stringify(asked.reply)).toContain('actor.output_too_large');
    expect(JSON.stringify(asked.reply)).toContain('a message to job/b');
    expect(harness.outbox('job/b')).toEqual([]);
    await harness.send({ to: 'job/a', event: { type: 'job.tick' } });
    expect(harness.context<{ ticks: number }>('job/a').ticks).toBe(1);
  });

  it('[PS-04] a step that JSON cannot hold is given up alone, and the worker goes on', async () => {
    const harness = createHarness({ actors: [oddActor], limits: { checks: false } });
    await harness.start();
    await harness.create('odd/a', {});
    harness.freeze();
    const events = ['odd.count', 'odd.spoil', 'odd.count'];
    for (const type of events) await harness.inject({ from: 'odd/b', to: 'odd/a', event: { type } });
    await harness.thaw();
    await harness.advance(2000);
    expect(harness.outcomes('odd/a').slice(1)).toEqual([
      'odd.count:handled',
      'odd.spoil:poisoned',
      'odd.count:handled',
    ]);
    expect(harness.context<{ count: number }>('odd/a').count).toBe(2);
    expect(harness.deadLetters[0]?.reason).toContain('actor.defect');
  });
});
