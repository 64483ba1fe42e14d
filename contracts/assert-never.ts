/** Makes a `switch` over a union exhaustive at compile time, and loud at run time when data lied about its type. */
export function assertNever(value: never, what = 'case'): never {
  throw new TypeError(`unexpected ${what}: ${JSON.stringify(value)}`);
}
