/** Exponential, capped, jittered by ±50 % so that many clients do not come back at the same moment. `random` is in [0, 1). */
export function backoffMs(attempt: number, random: number, baseMs = 500, capMs = 30_000): number {
  const plainMs = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 20));
  return Math.round(plainMs * (0.5 + random));
}
