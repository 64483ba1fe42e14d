/** Time, ids and chance come through here, so that a test can own them. */
export interface Clock {
  nowMs(): number;
  /** Calls back once after `delayMs`; returns the function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

export interface Randomness {
  /** Uniform in [0, 1). */
  next(): number;
  /** 128 random bits, `[A-Za-z0-9_-]{22}`. */
  id(): string;
}
