import { PlatformError, failure } from '#contracts/errors.ts';

/** The first broken rule of a run. */
export type Violation = { readonly rule: string; readonly what: string };

export class Problems {
  first: Violation | null = null;

  add(rule: string, what: string): void {
    this.first ??= { rule, what };
  }
}

/** What the store says to a row that it can never hold. */
export function refusedRow(): PlatformError {
  return new PlatformError(failure('request.invalid', 'a row cannot be stored'));
}
