import * as z from 'zod';

/**
 * What a site's robots.txt counts for. `respect`: a disallowed page is not opened. `respect_and_record`: neither, and what it
 * said stands beside each read.
 */
export const RobotsPolicy = z.enum(['ignore', 'respect', 'respect_and_record']);
export type RobotsPolicy = z.infer<typeof RobotsPolicy>;

/** What robots.txt said about one page. `rule` is the line that decided, or why the file could not be read. */
export const RobotsNote = z.object({
  address: z.string(),
  verdict: z.enum(['allowed', 'disallowed', 'no_file', 'unreachable']),
  rule: z.string().nullable(),
});
export type RobotsNote = z.infer<typeof RobotsNote>;
