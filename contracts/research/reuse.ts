import type { SourceRevision } from './source.ts';

/** A page that was read before, with what was agreed about using it. */
export type HeldSource = {
  readonly project: string;
  readonly revision: SourceRevision;
  /** End of the right to keep or use it; null when none is known. */
  readonly usable_until: string | null;
  /** Purposes it was admitted for; null for any. */
  readonly purposes: readonly string[] | null;
  /** Read while signed in as somebody: never shared, whatever its visibility says. */
  readonly is_private: boolean;
};

export type ReuseNeed = {
  readonly project: string;
  readonly now: string;
  /** Readings before this no longer answer; null when a state of the past is asked for. */
  readonly not_before: string | null;
  readonly parser_version: string;
  readonly purpose: string;
};

export type ReuseObstacle = 'rights' | 'visibility' | 'freshness' | 'version' | 'purpose';

/**
 * SE-10: the same revision, with the time it was really read, or everything that stands against it. A held page is never made younger:
 * who needs the present state reads again and gets a new revision.
 */
export function judgeReuse(
  held: HeldSource,
  need: ReuseNeed,
): { readonly revision: SourceRevision } | { readonly obstacles: readonly ReuseObstacle[] } {
  const obstacles: ReuseObstacle[] = [];
  if (held.usable_until !== null && !isBefore(need.now, held.usable_until)) obstacles.push('rights');
  if (!isVisible(held, need)) obstacles.push('visibility');
  if (!isFresh(held.revision.retrieved_time, need)) obstacles.push('freshness');
  if (held.revision.parser_version !== need.parser_version) obstacles.push('version');
  if (held.purposes !== null && !held.purposes.includes(need.purpose)) obstacles.push('purpose');
  return obstacles.length === 0 ? { revision: held.revision } : { obstacles };
}

function isVisible(held: HeldSource, need: ReuseNeed): boolean {
  if (held.project === need.project) return true;
  return held.revision.rights.visibility === 'public' && !held.is_private;
}

/** A reading from the future comes of a wrong clock, so nobody knows its age. */
function isFresh(retrieved: string, { now, not_before }: ReuseNeed): boolean {
  if (not_before === null) return true;
  return !isBefore(retrieved, not_before) && !isBefore(now, retrieved);
}

/** RFC 3339 in UTC sorts as text once the closing `Z` is gone. */
const isBefore = (a: string, b: string): boolean => a.replace('Z', '') < b.replace('Z', '');
