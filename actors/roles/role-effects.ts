import { RoleOutput, type RoleTask, type RoleVersions } from '#contracts/actors/role.ts';
import { fail } from '#contracts/errors.ts';
import type { ModelsPort } from '#contracts/ports/models.ts';
import type { ResearchReads } from '#contracts/ports/reads.ts';
import { engineDifference, engineOf, EXTRACTIVE, type Engine } from '#contracts/research/engine.ts';
import type { ModelProfile } from '#contracts/research/model-profile.ts';
import { defineEffect, type EffectContext } from '#runtime/core/authoring.ts';
import { materialsFor, proposeExtractively, roleDefinitions } from './role-catalogue.ts';
import type { CallOrder, Checked, CheckInput, PrepareInput, Prepared } from './role-contract.ts';
import type { Materials } from './role-definition.ts';
import { judgeAnswer } from './role-judging.ts';
import { withEngine } from './role-label.ts';
import { loadMaterials } from './role-materials.ts';
import { modelParts } from './role-model-catalogue.ts';
import type { PackRecord } from './role-packing.ts';
import { installedPrompts } from './role-prompts.ts';
import { buildRequest, greatestCost, type Repair } from './role-request.ts';

/** `models` null: no model is configured, and the extractive engine is the only one. */
export type RolePorts = { readonly research: ResearchReads; readonly models: ModelsPort | null };

/** First answer and two repairs. */
const MAX_CALLS = 3;
const CALL_TIMEOUT_MS = 300_000;

type Effect = EffectContext<RolePorts>;
type Asked = Omit<PrepareInput, 'engine'>;
type ModelEngine = Extract<Engine, { kind: 'model' }>;

export const roleEffects = {
  prepare: defineEffect<PrepareInput, Prepared, RolePorts>({
    class: 'idempotent',
    timeoutMs: 60_000,
    run: async (input, fx) => {
      const engine = input.engine ?? fx.ports.models?.defaultEngine() ?? EXTRACTIVE;
      const part = modelParts[input.ask.role];
      // The profile is looked at first: a task whose engine is gone learns it also from a role that would not have called it.
      const profile = engine.kind === 'model' ? openProfile(engine, fx) : null;
      const materials = await materialsOf(input, engine, fx);
      if (engine.kind === 'extractive' || profile === null || !part.asks(input.ask, materials)) {
        const { versions } = roleDefinitions[input.ask.role];
        return { kind: 'proposed', engine, versions, output: withEngine(byRule(input, materials), engine) };
      }
      const { order, pack } = orderCall(input, { profile, materials, number: 1, repair: null }, fx);
      return { kind: 'call', engine, versions: versionsOf(input.ask, profile), order, pack };
    },
  }),

  check: defineEffect<CheckInput, Checked, RolePorts>({
    class: 'idempotent',
    timeoutMs: 60_000,
    run: async (input, fx) => {
      const { engine, ask, answer, calls, problem } = input;
      if (engine.kind === 'extractive') return fail('actor.defect', 'an extractive run has no answer of a model');
      const materials = await materialsOf(input, engine, fx);
      const judged =
        answer === null
          ? { kind: 'unusable' as const, problems: [problem ?? 'there was no answer'] }
          : judgeAnswer(answer.value, {
              task: ask,
              materials,
              language: input.language,
              shown: new Map(input.pack.shown.map(({ key, id }) => [key, id])),
              isLast: calls >= MAX_CALLS,
              extractive: () => byRule(input, materials),
            });
      if (judged.kind === 'accepted') return { ...judged, output: withEngine(judged.output, engine) };
      if (calls >= MAX_CALLS) {
        const problems = judged.problems.join('; ');
        return fail(
          'model.response_invalid',
          `${calls} answers of the model could not be used; the last: ${problems}`,
          {
            details: { calls, problems: [...judged.problems] },
          },
        );
      }
      const repair = { answer: answer?.text ?? null, problems: judged.problems };
      const profile = openProfile(engine, fx);
      return { kind: 'repair', ...orderCall(input, { profile, materials, number: calls + 1, repair }, fx), notes: [] };
    },
  }),
};

function materialsOf(input: Asked, engine: Engine, fx: Effect): Promise<Materials> {
  const { role } = input.ask;
  const ofModel = engine.kind === 'model' ? modelParts[role].materials : null;
  const wanted = ofModel === null ? materialsFor(input.ask) : ofModel(input.ask);
  return loadMaterials(wanted, { project: fx.project, taskId: input.task_id, role }, fx.ports.research);
}

function byRule(input: Asked, materials: Materials): RoleOutput {
  const output = RoleOutput.safeParse(proposeExtractively(input.ask, materials, input.language));
  if (!output.success) fail('effect.failed', `${input.ask.role} answered outside its schema: ${output.error.message}`);
  return output.data;
}

/** The pinned profile in its pinned versions, or nothing: results of different versions do not mix in one task (RO-02). */
function openProfile(engine: ModelEngine, { ports: { models } }: Effect): ModelProfile {
  if (models === null) return fail('model.not_configured', `the model profile ${engine.profile} is not configured`);
  const { profile } = models.open(engine.profile);
  const difference = engineDifference(engine, engineOf(profile, installedPrompts().version));
  if (difference === null) return profile;
  return fail('model.not_configured', `the task was planned with another model engine: ${difference}`);
}

function versionsOf(ask: RoleTask, { name, version }: ModelProfile): RoleVersions {
  const part = modelParts[ask.role];
  return {
    contract: 'role-task/1',
    prompt: installedPrompts().of(ask.role).version,
    model_profile: `${name}/${version}`,
    tool_policy: `${ask.role}/1`,
    output_schema: `model-answer/${ask.role}/${part.schemaVersion}`,
  };
}

type Call = {
  readonly profile: ModelProfile;
  readonly materials: Materials;
  readonly number: number;
  readonly repair: Repair | null;
};

function orderCall(input: Asked, call: Call, fx: Effect): { readonly order: CallOrder; readonly pack: PackRecord } {
  const { profile, materials, number, repair } = call;
  const { role } = input.ask;
  const part = modelParts[role];
  const built = buildRequest({
    part,
    prompt: installedPrompts().of(role).text,
    profile,
    language: input.language,
    brief: part.brief(input.ask, materials, input.language),
    memory: input.memory,
    repair,
    idempotencyKey: `${input.role_run_id}:${number}`,
  });
  if (built === null) {
    return fail('model.context_overflow', `the work of a ${role} does not fit into the window of ${profile.name}`, {
      details: { context_window: profile.context_window },
    });
  }
  const limits = fx.ports.models?.limits(profile.name) ?? fail('model.not_configured', 'no model is configured');
  return {
    order: {
      profile: profile.name,
      profile_version: profile.version,
      request: built.request,
      timeout_ms: CALL_TIMEOUT_MS,
      limits,
      reserve: { what: `${profile.name}, ${role}`, ...greatestCost(built.request, profile) },
      fence: fx.fence,
    },
    pack: built.record,
  };
}
