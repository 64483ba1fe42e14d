import { randomBytes } from 'node:crypto';
import type { Clock, Randomness } from '#contracts/ports/clock.ts';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

export const systemRandomness: Randomness = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  id: () => randomBytes(16).toString('base64url'),
};
