import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalogue, type ActorPorts } from '#actors/catalogue.ts';
import type { Json } from '#contracts/json.ts';
import type { ModelsPort } from '#contracts/ports/models.ts';
import { domainTables } from '#persistence/domain-tables.ts';
import { createMemoryDomainRows } from '#persistence/memory/domain-rows.ts';
import { createReadModels, type ReadModels } from '#persistence/read-models/read-models.ts';
import { createRunningCalls } from '#runtime/main/running-calls.ts';
import { createFileBlobStore } from '#runtime/providers/blob/file-blob-store.ts';
import { OpenPlanning } from '../fakes/open-planning.ts';
import { PageWorld } from '../fakes/page-world.ts';
import { createHarness, type Harness } from './harness.ts';

/** The same keys and conflict rules as the database has. */
function policyOf(table: string) {
  const known = domainTables.get(table);
  if (known === undefined) throw new Error(`actors may not write to ${table}`);
  return known;
}

/** Without models it is the extractive engine. */
type ProductOptions = { readonly models?: ModelsPort };
type TaskOptions = {
  readonly mode?: string;
  readonly autoStart?: boolean;
  /** The task that it continues. */
  readonly parent?: string;
  readonly turn?: { readonly conversation_id: string; readonly turn_id: string };
};

/** All actors of the product over the in-memory store and a world of pages. */
export class ProductHarness {
  readonly world = new PageWorld();
  readonly planning = new OpenPlanning();
  readonly harness: Harness;
  readonly reads: ReadModels;
  readonly blobs = createFileBlobStore(mkdtempSync(join(tmpdir(), 'blobs-')));
  #count = 0;

  constructor(seed = 1, options: ProductOptions = {}) {
    if (options.models !== undefined) this.planning.engine = options.models.defaultEngine();
    const late: { reads?: ReadModels } = {};
    const ports: ActorPorts = {
      browser: this.world.browser,
      search: this.world.search,
      blobs: this.blobs,
      models: options.models ?? null,
      calls: createRunningCalls(),
      fences: { readFence: (scope) => this.harness.store.readFence(scope) },
      planning: this.planning,
      get tasks() {
        return (late.reads as ReadModels).tasks;
      },
      get research() {
        return (late.reads as ReadModels).research;
      },
      get sources() {
        return (late.reads as ReadModels).researchWrites;
      },
    };
    this.harness = createHarness({
      actors: catalogue,
      ports,
      seed,
      project: 'default',
      limits: { checks: true },
      policyOf,
    });
    this.reads = createReadModels(createMemoryDomainRows(this.harness.store.tables.domain as never));
    late.reads = this.reads;
  }

  async start(): Promise<this> {
    await this.harness.start();
    return this;
  }

  /** Creates a task and lets it run as far as it can without waiting. Returns its id. */
  async createTask(text: string, options: TaskOptions = {}): Promise<string> {
    this.#count += 1;
    const task_id = `tsk_task-000${this.#count}`;
    await this.harness.create(`task/${task_id}`, {
      task_id,
      conversation_id: options.turn?.conversation_id ?? null,
      turn_id: options.turn?.turn_id ?? null,
      parent_task_id: options.parent ?? null,
      text,
      mode: options.mode ?? 'quick_search',
      auto_start: options.autoStart ?? true,
      created_time: '2026-11-30T00:00:00.000Z',
    } satisfies Json);
    return task_id;
  }

  async command(taskId: string, type: string, fields: Readonly<Record<string, Json>> = {}) {
    this.#count += 1;
    const request_id = `request-${this.#count}`;
    return this.harness.ask({
      to: `task/${taskId}`,
      event: { type, request_id, operation_id: `opr_${request_id}`, ...fields },
      priority: 'operator',
    });
  }

  async view(taskId: string) {
    const view = await this.reads.tasks.find('default', taskId);
    if (view === null) throw new Error(`there is no task ${taskId}`);
    return view;
  }

  /** Sealing writes files, so the end needs real time. */
  async ended(taskId: string): Promise<string> {
    await this.harness.until(() => this.harness.status(`task/${taskId}`) === 'done');
    return (await this.view(taskId)).status;
  }

  eventTypes(taskId: string): string[] {
    return this.harness.events(`task/${taskId}`).map(({ type }) => type);
  }
}
