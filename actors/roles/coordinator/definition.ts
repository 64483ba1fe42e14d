import type { Candidate } from '#contracts/actors/role.ts';
import { extractiveVersions, NO_MATERIALS, type RoleDefinition } from '../role-definition.ts';

/**
 * Chooses which candidates are read next: round robin over the questions, so that no question starves,
 * each address once, at most `max_pages`. It cannot claim leases, change budgets or end a task.
 */
export const coordinator: RoleDefinition<'coordinator'> = {
  role: 'coordinator',
  versions: extractiveVersions('coordinator', 1),
  tools: [],
  materials: () => NO_MATERIALS,
  propose: (task) => {
    const seen = new Set(task.already_read.map(withoutFragment));
    const reads: Candidate[] = [];
    const skipped: { url: string; reason: string }[] = [];
    const longest = Math.max(0, ...task.candidates.map((list) => list.candidates.length));
    for (let rank = 0; rank < longest; rank++) {
      for (const { candidates } of task.candidates) {
        const candidate = candidates[rank];
        if (candidate === undefined) continue;
        const address = withoutFragment(candidate.url);
        if (seen.has(address)) skipped.push({ url: candidate.url, reason: 'already chosen or read' });
        else if (reads.length >= task.max_pages) skipped.push({ url: candidate.url, reason: 'page limit of the plan' });
        else reads.push(candidate);
        seen.add(address);
      }
    }
    return { role: 'coordinator', reads, skipped };
  },
};

function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
