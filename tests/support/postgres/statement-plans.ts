import pg from 'pg';

export type PreparedText = { readonly name: string; readonly text: string };
export type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly PlanNode[];
};

/** Remembers every named statement that any connection of this process runs from now on. */
export function recordStatements(): ReadonlyMap<string, PreparedText> {
  const seen = new Map<string, PreparedText>();
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]): unknown {
    const [config] = args as [Partial<PreparedText> | undefined];
    if (typeof config?.name === 'string' && typeof config.text === 'string') {
      seen.set(config.name, { name: config.name, text: config.text });
    }
    return query.apply(this, args);
  } as typeof pg.Client.prototype.query;
  return seen;
}

/** The plan that a connection of the store keeps for a statement which it first saw now. */
export async function genericPlan(client: pg.Client, text: string): Promise<PlanNode> {
  await client.query(`set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off`);
  await client.query(`prepare planned as ${text}`);
  try {
    const { rows: types } = await client.query<{ n: number }>(
      `select cardinality(parameter_types) as n from pg_prepared_statements where name = 'planned'`,
    );
    const nulls = Array.from({ length: types[0]?.n ?? 0 }, () => 'null').join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json) execute planned${nulls === '' ? '' : `(${nulls})`}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (plan === undefined) throw new Error('the server gave no plan');
    return plan;
  } finally {
    await client.query('deallocate planned');
  }
}

/** Scans of these tables that look at every row, however many there will be. */
export function unboundedScans(plan: PlanNode, tables: ReadonlySet<string>): string[] {
  const below = (plan.Plans ?? []).flatMap((node) => unboundedScans(node, tables));
  const relation = plan['Relation Name'];
  const isScan = relation !== undefined && tables.has(relation) && plan['Node Type'].endsWith('Scan');
  const hasKey = plan['Index Cond'] !== undefined || plan['Recheck Cond'] !== undefined;
  return isScan && !hasKey ? [`${plan['Node Type']} of ${relation}`, ...below] : below;
}
