import type { PlanNode } from '#contracts/actors/task.ts';

type Timed = Pick<PlanNode, 'work_item_id' | 'needs' | 'started_time' | 'ended_time'>;

const durationOf = ({ started_time, ended_time }: Timed): number =>
  started_time === null || ended_time === null ? 0 : Math.max(0, Date.parse(ended_time) - Date.parse(started_time));

/**
 * The chain of nodes whose recorded times add up to most: making any other node faster would not have ended the plan sooner.
 * Nodes only need earlier ones, so one pass in their order finds it; of equal chains the one that was known first.
 */
export function criticalPath(nodes: readonly Timed[]): string[] {
  const chains = new Map<string, { readonly ms: number; readonly path: readonly string[] }>();
  let longest: readonly string[] = [];
  let most = -1;
  for (const node of nodes) {
    if (node.started_time === null) continue;
    const before = node.needs.flatMap(({ work_item_id }) => chains.get(work_item_id) ?? []);
    const last = before.reduce((best, chain) => (chain.ms > best.ms ? chain : best), before[0] ?? { ms: 0, path: [] });
    const chain = { ms: last.ms + durationOf(node), path: [...last.path, node.work_item_id] };
    chains.set(node.work_item_id, chain);
    if (chain.ms > most || (chain.ms === most && chain.path.length > longest.length)) {
      most = chain.ms;
      longest = chain.path;
    }
  }
  return [...longest];
}
