import { describe, expect, it } from 'vitest';
import { createHarness } from '#tests/support/harness/harness.ts';
import { bossActor, jobActor } from '#tests/support/harness/sample-actors.ts';

const DAY_MS = 86_400_000;

describe('trimming', () => {
  it('[SV-06] the owner of a shard trims what is older than asked, and nothing when it is asked to keep all', async () => {
    for (const { keepLogMs, kept } of [
      { keepLogMs: DAY_MS, kept: 1 },
      { keepLogMs: 0, kept: 3 },
    ]) {
      const harness = createHarness({ actors: [jobActor, bossActor], limits: { keepLogMs } });
      await harness.start();
      await harness.create('job/a', { name: 'a' });
      for (let count = 0; count < 2; count += 1) {
        await harness.inject({ from: 'x/y', to: 'job/a', event: { type: 'job.tick' } });
      }
      expect(harness.transitions('job/a')).toHaveLength(3);
      await harness.advance(DAY_MS + 3_700_000);
      expect(harness.transitions('job/a')).toHaveLength(kept);
      await harness.send({ to: 'job/a', event: { type: 'job.tick' } });
      expect(harness.context<{ ticks: number }>('job/a').ticks).toBe(3);
      await harness.stop();
    }
  });
});
