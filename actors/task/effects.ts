import { createHash } from 'node:crypto';
import { canonicalJson } from '#contracts/canonical-json.ts';
import { fail } from '#contracts/errors.ts';
import type { Json } from '#contracts/json.ts';
import type { BrowserPort } from '#contracts/ports/browser.ts';
import type { PlanningPort } from '#contracts/ports/planning.ts';
import type { ResearchReads, TaskReads } from '#contracts/ports/reads.ts';
import { EXTRACTIVE } from '#contracts/research/engine.ts';
import { QUERY_RULES_VERSION } from '#contracts/research/query-spec.ts';
import { TaskSpec } from '#contracts/research/task-spec.ts';
import { defineEffect } from '#runtime/core/authoring.ts';
import type {
  CloseInput,
  Frozen,
  FreezeInput,
  Inherited,
  InheritInput,
  Probed,
  ProbeInput,
  Surroundings,
} from './contract.ts';
import { inheritFrom } from './inherit.ts';

/** Sessions may be open in other processes; what closes them there is no concern of the task. */
export type TaskPorts = {
  readonly browser: Pick<BrowserPort, 'closeTask'>;
  readonly planning: PlanningPort;
  readonly tasks: Pick<TaskReads, 'find'>;
  readonly research: ResearchReads;
};

/** Raise one when what it names changes: it decides how a contract is carried out. */
const VERSIONS = {
  format: 'yunsou-plan/2',
  /** What follows what, and when another wave opens. */
  graph: 'wave-graph/2',
  /** How the report is put together. */
  templates: 'report/1',
  queries: QUERY_RULES_VERSION,
  preflight: 'static/1',
};

export const taskEffects = {
  /** TS-05: SHA-256 over the canonical JSON of the contract, the rules it is carried out by, the engine and the prices. */
  freezePlan: defineEffect<FreezeInput, Frozen, TaskPorts>({
    class: 'idempotent',
    timeoutMs: 10_000,
    run: (input, { ports }) => {
      const spec = TaskSpec.safeParse(input.spec);
      if (!spec.success) return Promise.reject(new TypeError(spec.error.message));
      const surroundings = ports.planning.surroundings();
      const { engine, abilities } = surroundings;
      const prices = engine.kind === 'model' ? [engine.price_version] : [];
      const frozen = {
        ...VERSIONS,
        plan_version: input.plan_version,
        spec: spec.data,
        engine,
        prices,
        cost: abilities.cost,
      };
      const plan_hash = createHash('sha256')
        .update(canonicalJson(frozen as Json))
        .digest('hex');
      return Promise.resolve({ plan_hash, surroundings });
    },
  }),

  lookAround: defineEffect<object, Surroundings, TaskPorts>({
    class: 'idempotent',
    timeoutMs: 10_000,
    run: (_input, { ports }) => Promise.resolve(ports.planning.surroundings()),
  }),

  /** TS-05: the only check that touches the world; also what a resume looks at first (TK-03). */
  probeTools: defineEffect<ProbeInput, Probed, TaskPorts>({
    class: 'idempotent',
    timeoutMs: 60_000,
    attempts: 2,
    run: async ({ engine, language, needs_search, source_revision_ids }, { ports, project, signal }) => {
      const pinned = engine ?? EXTRACTIVE;
      const found = await Promise.all(
        source_revision_ids.map(async (id) =>
          (await ports.research.sourceRevision(project, id)) === null ? id : null,
        ),
      );
      return {
        findings: await ports.planning.probe({ engine: pinned, language, needsSearch: needs_search, signal }),
        missing_sources: found.filter((id) => id !== null),
        engine_problem: ports.planning.engineProblem(pinned),
      };
    },
  }),

  inheritResults: defineEffect<InheritInput, Inherited, TaskPorts>({
    class: 'idempotent',
    timeoutMs: 60_000,
    run: (input, { ports, project, nowMs }) =>
      inheritFrom(input, { ...ports, project, now: new Date(nowMs()).toISOString() }),
  }),

  closeSessions: defineEffect<CloseInput, { closed: true }, TaskPorts>({
    class: 'idempotent',
    timeoutMs: 10_000,
    attempts: 2,
    run: async ({ task_id }, { ports, signal }) => {
      if (signal.aborted) fail('effect.aborted', 'closing was given up');
      await ports.browser.closeTask(task_id);
      return { closed: true };
    },
  }),
};
