import type * as z from 'zod';
import { fail } from '#contracts/errors.ts';

const MAX_ISSUES = 20;

/** Parses with the schema or throws `request.invalid`, naming each wrong place. `what` is "body", "query", … */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: `/${issue.path.map(String).join('/')}`.slice(0, 200),
    message: issue.message.slice(0, 300),
  }));
  const first = errors[0];
  return fail('request.invalid', `the ${what} is not valid: ${first?.path ?? '/'}: ${first?.message ?? 'wrong'}`, {
    details: { errors },
  });
}
