import { describe, expect, it } from 'vitest';
import { FamilyLimits, type Place } from '#runtime/providers/browser/egress/family-limits.ts';

const LIMIT = { connections: 2, requestsPerMinute: 60, bytesPerSession: 1000, waitMs: 60_000 };

function setUp(limit: Partial<typeof LIMIT> = {}) {
  const clock = { ms: 0 };
  const limits = new FamilyLimits({ ...LIMIT, ...limit }, () => clock.ms);
  for (const session of ['a', 'b']) limits.openSession(session);
  const enter = async (session = 'a', family = 'site.test'): Promise<Place> => {
    const place = await limits.enter(session, family);
    if (typeof place === 'string') throw new Error(place);
    return place;
  };
  return { clock, limits, enter };
}

describe('limits of a site family', () => {
  it('[FL1] more connections wait for a place in order; another family is not held up', async () => {
    const { enter } = setUp();
    const [first, second] = [await enter(), await enter('b')];
    const order: string[] = [];
    const third = enter().then((place) => (order.push('third'), place));
    const fourth = enter('b').then((place) => (order.push('fourth'), place));
    await enter('a', 'other.test');
    expect(order).toEqual([]);
    first.leave();
    await third;
    expect(order).toEqual(['third']);
    second.leave();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('[FL1] nobody waits for ever', async () => {
    const { limits, enter } = setUp({ waitMs: 1 });
    await enter();
    await enter();
    expect(await limits.enter('a', 'site.test')).toBe('too many connections to site.test at once');
  });

  it('[FL2] requests beyond the rate are refused until time has passed', async () => {
    const { clock, limits, enter } = setUp({ requestsPerMinute: 3 });
    for (let index = 0; index < 3; index += 1) (await enter()).leave();
    expect(await limits.enter('a', 'site.test')).toBe('too many requests to site.test in a minute');
    clock.ms += 20_000;
    (await enter()).leave();
    expect(typeof (await limits.enter('a', 'site.test'))).toBe('string');
  });

  it('[FL3] a session that has had its bytes gets no more of the family, another one does', async () => {
    const { limits, enter } = setUp();
    const place = await enter();
    expect([place.take(1000), place.take(1)]).toEqual([true, false]);
    expect(await limits.enter('a', 'site.test')).toBe('too much was loaded from site.test');
    expect((await enter('b')).take(1)).toBe(true);
  });

  it('[FL4] a place comes back once, and a closed session neither waits nor takes', async () => {
    const { limits, enter } = setUp();
    const [first, second] = [await enter(), await enter()];
    const waiting = limits.enter('a', 'site.test');
    limits.closeSession('a');
    expect(await waiting).toBe('the session was closed');
    expect(first.take(1)).toBe(false);
    first.leave();
    first.leave();
    const third = await enter('b');
    let hasFourth = false;
    void enter('b').then(() => (hasFourth = true));
    await Promise.resolve();
    expect(hasFourth).toBe(false);
    for (const place of [second, third]) place.leave();
    await expect.poll(() => hasFourth).toBe(true);
  });
});
