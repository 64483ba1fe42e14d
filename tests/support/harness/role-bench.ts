import type { RoleName, RoleReport, RoleRunInput, RoleRunRecord, RoleTask } from '#contracts/actors/role.ts';
import type { Json } from '#contracts/json.ts';
import type { SourceRevision } from '#contracts/research/source.ts';
import type { ProfileChange } from '../fakes/vendors/model-harness.ts';
import { ScriptedModel, type Script } from '../fakes/scripted-model.ts';
import { ProductHarness } from './product-harness.ts';

export const BENCH_TASK = 'tsk_rolebench';

export const sourceOf = (id: string, text: string, change: Partial<SourceRevision> = {}): SourceRevision => ({
  source_revision_id: id,
  task_id: BENCH_TASK,
  requested_url: `http://a.test/${id}`,
  final_url: `http://a.test/${id}`,
  method: 'browser',
  retrieved_time: '2026-11-30T00:00:00.000Z',
  parser_version: 'x',
  content_hash: 'a'.repeat(64),
  title: `Page ${id}`,
  language: 'en',
  page_kind: 'article',
  text,
  blocks: text.split('\n').reduce<SourceRevision['blocks']>((blocks, line) => {
    const start = blocks.at(-1)?.end === undefined ? 0 : (blocks.at(-1)?.end ?? 0) + 1;
    return [...blocks, { kind: 'paragraph', text: line, start, end: start + line.length }];
  }, []),
  tables: [],
  fields: {},
  unread: [],
  rights: { visibility: 'project', note: '' },
  ...change,
});

type BenchOptions = { readonly profile?: ProfileChange; readonly cap?: string; readonly withModel?: boolean };

/** Single role runs over everything they meet in the product: stored artifacts, paid calls, permits, the ledger, a model over its wire. */
export class RoleBench {
  readonly product: ProductHarness;
  readonly model: ScriptedModel;
  #count = 0;

  private constructor(product: ProductHarness, model: ScriptedModel) {
    this.product = product;
    this.model = model;
  }

  static async start(script: Script = {}, options: BenchOptions = {}): Promise<RoleBench> {
    const model = await ScriptedModel.start(script, options.profile);
    const product = await new ProductHarness(1, options.withModel === false ? {} : { models: model }).start();
    const { harness } = product;
    await harness.create('ledger/main', {});
    await harness.send({
      to: 'ledger/main',
      event: {
        type: 'ledger.open_task',
        task_id: BENCH_TASK,
        reply_to: `task/${BENCH_TASK}`,
        currency: 'USD',
        cap_minor: options.cap ?? '100000',
        unknown_price_policy: 'block',
        upper_bound_minor: null,
      },
    });
    return new RoleBench(product, model);
  }

  async stop(): Promise<void> {
    await this.product.harness.stop();
    await this.model.stop();
  }

  async store(...sources: readonly SourceRevision[]): Promise<this> {
    for (const source of sources) await this.product.reads.researchWrites.storeSourceRevision('default', source);
    return this;
  }

  /** A role run from its beginning to its end, and what it told whoever asked. */
  async run(ask: RoleTask, change: Partial<RoleRunInput> = {}): Promise<RoleReport> {
    this.#count += 1;
    const role_run_id = `rol_bench${String(this.#count).padStart(4, '0')}`;
    const { harness } = this.product;
    const input = {
      role_run_id,
      task_id: BENCH_TASK,
      reply_to: `work-item/${role_run_id}`,
      language: 'en',
      ask,
      ...change,
    };
    await harness.create(`role-run/${role_run_id}`, input as unknown as Json);
    await harness.until(() => harness.status(`role-run/${role_run_id}`) === 'done', 20_000);
    const told = harness.outbox(`work-item/${role_run_id}`).map(({ event }) => event);
    if (told.length !== 1) throw new RangeError(`${told.length} reports`);
    return told[0] as unknown as RoleReport;
  }

  async record(): Promise<RoleRunRecord> {
    const all = await this.product.reads.research.roleRunsOfTask('default', BENCH_TASK);
    const found = all.find(({ role_run_id }) => role_run_id.endsWith(String(this.#count).padStart(4, '0')));
    if (found === undefined) throw new RangeError('the run left no record');
    return found;
  }

  /** The output of a run that finished. */
  async output<Role extends RoleName>(ask: Extract<RoleTask, { role: Role }>, change: Partial<RoleRunInput> = {}) {
    const report = await this.run(ask, change);
    if (report.type !== 'role.finished') throw new RangeError(JSON.stringify(report.failure));
    type Output = Extract<typeof report.output, { role: Role }>;
    return { output: report.output as Output, notes: report.notes ?? [], engine: report.engine };
  }
}
