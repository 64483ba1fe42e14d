/** Whether a value is longer as JSON than `limit` characters, near enough; looks at no more of it than that. */
export function isLarger(value: unknown, limit: number): boolean {
  return left(value, limit) < 0;
}

function left(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 2;
  if (typeof value !== 'object' || value === null) return budget - 4;
  let rest = budget - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      rest = left(item, rest - 1);
      if (rest < 0) return rest;
    }
    return rest;
  }
  for (const key of Object.keys(value)) {
    rest = left((value as Readonly<Record<string, unknown>>)[key], rest - key.length - 4);
    if (rest < 0) return rest;
  }
  return rest;
}
