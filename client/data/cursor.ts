/** Event numbers are decimal strings (they may pass 2^53); these are the only ways the client compares them. */
export const compareSeq = (a: string, b: string): number => {
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

export const nextSeq = (seq: string): string => String(BigInt(seq) + 1n);

export type Arrival = 'next' | 'duplicate' | 'gap';

/** Where an event stands against what was already taken from its stream. */
export function judgeArrival(taken: string, seq: string): Arrival {
  if (compareSeq(seq, taken) <= 0) return 'duplicate';
  return seq === nextSeq(taken) ? 'next' : 'gap';
}
