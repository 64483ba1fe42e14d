/** Collects durations; keeps all of them, so sample when there are millions. */
export class Durations {
  #values: number[] = [];

  add(ms: number): void {
    this.#values.push(ms);
  }

  clear(): void {
    this.#values = [];
  }

  get count(): number {
    return this.#values.length;
  }

  /** Nearest rank; 0 without values. `share` in (0, 1]. */
  at(share: number): number {
    const sorted = this.#values.toSorted((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  }
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
