import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOutsideSender } from '#contracts/envelope.ts';
import { pumpActor } from '#tests/support/fakes/pump-actor.ts';
import { createHarness, type Harness } from '#tests/support/harness/harness.ts';
import { jobActor } from '#tests/support/harness/sample-actors.ts';

const ORDER = { project: 'p', requestId: 'request-1', operationId: 'opr_1', caller: 'token' };

describe('operators', () => {
  let harness: Harness;
  const inspection = () => harness.host().inspection;
  const settled = async <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined);
    await harness.runUntilIdle();
    return await work;
  };

  beforeEach(async () => {
    harness = createHarness({ actors: [pumpActor, jobActor], ports: {} });
    await harness.start();
    await harness.create('pump/1', { strokes: 0 });
  });
  afterEach(() => harness.stop());

  it('[OP-01] a kind without commands names none, one with commands names its own', async () => {
    await harness.create('job/1', { name: 'n' });
    const refused = settled(inspection().command({ ...ORDER, address: 'job/1', command: 'stop' }, 1000));
    await expect(refused).rejects.toThrow("'job' has no command 'stop'; it has no commands");
    const other = settled(inspection().command({ ...ORDER, address: 'pump/1', command: 'stop' }, 1000));
    await expect(other).rejects.toThrow("'pump' has no command 'stop'; it has pause, resume");
    expect(await inspection().listOperatorActions('p', { limit: 9 })).toEqual([]);
  });

  it('[IX2] an action is recorded although the worker is killed before it is posted, and a repetition carries it out', async () => {
    let kills = 0;
    harness.process().onCall = (call) => {
      if (call !== 'post') return null;
      kills += 1;
      return 'kill-before';
    };
    void inspection()
      .command({ ...ORDER, address: 'pump/1', command: 'pause' }, 1000)
      .catch(() => undefined);
    await harness.runUntilIdle();
    expect(kills).toBe(1);
    expect(harness.state('pump/1')).toBe('running');
    await harness.restart();
    await harness.advance(3000);
    expect(await inspection().listOperatorActions('p', { limit: 9 })).toMatchObject([
      { requestId: 'request-1', outcome: null },
    ]);
    const again = await settled(inspection().command({ ...ORDER, address: 'pump/1', command: 'pause' }, 1000));
    expect(again.action.outcome).toBe('handled');
    expect(harness.state('pump/1')).toBe('paused');
    expect(await inspection().listOperatorActions('p', { limit: 9 })).toHaveLength(1);
  });

  it('[OP-02] a command overtakes other mail', async () => {
    for (let count = 0; count < 40; count++) {
      void harness.host().client.send({
        project: 'p',
        to: 'pump/1',
        from: 'http',
        messageId: `m${count}`,
        event: { type: 'pump.note', text: `${count}` },
      });
    }
    await settled(inspection().command({ ...ORDER, address: 'pump/1', command: 'pause' }, 1000));
    const order = harness.transitions('pump/1').map(({ eventType }) => eventType);
    expect(order.indexOf('pump.pause')).toBeLessThan(order.lastIndexOf('pump.note'));
  });

  it('[OP-03] nobody outside can be the operator who sends letters again', async () => {
    const forged = harness.send({ to: 'pump/1', from: 'operator', event: { type: 'pump.mend' } });
    await expect(forged).rejects.toThrow('cannot be the sender');
    expect(isOutsideSender('operator')).toBe(true);
  });

  it('[OP-03] the result of an effect that the machine failed on can be sent again', async () => {
    await harness.create('pump/2', { strokes: 3 });
    const letter = { effectId: '2:0', invokeId: 'gauge', result: { kind: 'done', output: { pressure: 1 } } };
    harness.process().onCall = (call) => (call === 'dispatchEffect' ? 'before' : null);
    await harness.send({ to: 'pump/2', event: { type: 'pump.check' } });
    expect(harness.state('pump/2')).toBe('measuring');
    const envelope = {
      messageId: 'effect:2:0',
      project: 'p',
      to: 'pump/2',
      from: 'effect',
      priority: 'normal',
      event: { type: 'effect.result', ...letter },
      sentAt: '2026-01-01T00:00:00.000Z',
    };
    const { deadLetters } = harness.store.tables;
    const place = { project: 'p', address: 'pump/2', atMs: 0, mailId: 0, payloadHash: '' };
    deadLetters.push({ ...place, id: 1, messageId: 'effect:2:0', envelope, reason: 'actor.poisoned: boom' });
    await settled(inspection().redrive({ project: 'p', letterId: 1, requestId: 'request-1', caller: 'token' }));
    expect(harness.transitions('pump/2').at(-1)).toMatchObject({
      from: 'operator',
      messageId: 'redrive:1:request-1',
      outcome: 'handled',
      stateAfter: 'running',
    });
  });

  it('[OP-03] a letter that is no message is refused', async () => {
    const place = { project: 'p', address: 'pump/1', atMs: 0, mailId: 0, payloadHash: '' };
    const letter = { ...place, id: 1, messageId: 'timer:x:1', envelope: { kind: 'timer' }, reason: 'boom' };
    harness.store.tables.deadLetters.push(letter);
    const refused = inspection().redrive({ project: 'p', letterId: 1, requestId: 'request-1', caller: 'token' });
    await expect(refused).rejects.toThrow('no message that could be sent again');
  });

  it('[LG-05] an actor that no code can continue says why', async () => {
    const cell = harness.cell('pump/1');
    if (cell?.row === null || cell === undefined) throw new Error('there is no pump');
    cell.row = { ...cell.row, defHash: 'of another version' };
    const actor = await inspection().readActor('p', 'pump/1');
    expect(actor).toMatchObject({ state: 'running', view: null, parked: expect.stringContaining('upgrade') as string });
  });
});
