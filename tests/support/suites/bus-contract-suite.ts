import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bus } from '#contracts/ports/bus.ts';

export type BusFixture = {
  /** Two ends of the same bus; for one process they may be the same object. */
  open(): Promise<{ readonly publisher: Bus; readonly subscriber: Bus }>;
  /** Until everything published so far has arrived. */
  settle(ends: { readonly publisher: Bus; readonly subscriber: Bus }): Promise<void>;
};

/** What every bus promises. Losing hints is allowed in production; a healthy bus in a test delivers. */
export function registerBusContractSuite(name: string, fixture: BusFixture): void {
  describe(`bus contract: ${name}`, () => {
    let ends: { readonly publisher: Bus; readonly subscriber: Bus };
    let heard: [string, string][] = [];
    const listen = (payload: string, subject: string): void => void heard.push([subject, payload]);

    beforeEach(async () => {
      heard = [];
      ends = await fixture.open();
    });
    afterEach(async () => {
      await ends.publisher.close();
      await ends.subscriber.close();
    });

    it('[OB-02] delivers a payload to every subscriber of the subject, with the subject', async () => {
      ends.subscriber.subscribe('mail.7', listen);
      ends.subscriber.subscribe('mail.7', listen);
      ends.subscriber.subscribe('mail.8', listen);
      await fixture.settle(ends);
      ends.publisher.publish('mail.7', 'ping — 你好');
      await fixture.settle(ends);
      expect(heard).toEqual([
        ['mail.7', 'ping — 你好'],
        ['mail.7', 'ping — 你好'],
      ]);
    });

    it('[OB-03] a star stands for exactly one token', async () => {
      ends.subscriber.subscribe('mail.*', listen);
      await fixture.settle(ends);
      for (const subject of ['mail.1', 'mail.1.2', 'mail', 'stream.1']) ends.publisher.publish(subject, '');
      await fixture.settle(ends);
      expect(heard).toEqual([['mail.1', '']]);
    });

    it('[OB-04] hears nothing after unsubscribing, and unsubscribing twice is harmless', async () => {
      const unsubscribe = ends.subscriber.subscribe('done.x', listen);
      await fixture.settle(ends);
      unsubscribe();
      unsubscribe();
      await fixture.settle(ends);
      ends.publisher.publish('done.x', '1');
      await fixture.settle(ends);
      expect(heard).toEqual([]);
    });

    it('[OB-05] never calls a listener inside publish', async () => {
      let isPublishing = false;
      let wasInside = false;
      ends.subscriber.subscribe('done.y', () => {
        wasInside = isPublishing;
        heard.push(['done.y', '']);
      });
      await fixture.settle(ends);
      isPublishing = true;
      ends.publisher.publish('done.y', '');
      isPublishing = false;
      await fixture.settle(ends);
      expect(heard).toHaveLength(1);
      expect(wasInside).toBe(false);
    });

    it('[OB-06] escaped tokens with percent signs and colons arrive', async () => {
      ends.subscriber.subscribe('stream.p.task:tsk_1%2E%20x', listen);
      await fixture.settle(ends);
      ends.publisher.publish('stream.p.task:tsk_1%2E%20x', '3');
      await fixture.settle(ends);
      expect(heard).toEqual([['stream.p.task:tsk_1%2E%20x', '3']]);
    });

    it('[OB-07] publishing after close is silent', async () => {
      await ends.publisher.close();
      expect(() => ends.publisher.publish('mail.1', '')).not.toThrow();
    });
  });
}
